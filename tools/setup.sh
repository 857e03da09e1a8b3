#!/bin/sh
# Make or renew .venv from the lock named by $1: find a Python ($PYTHON, else that of .venv, else the first that
# will do) and let it run setup_environment.py. Every failure ends with one line that says what to do.
set -eu
cd "$(dirname "$0")/.."
unset PYTHONHOME PYTHONPATH

# Prints the version, or what is missing; for any Python since 2.
judge='
import sys
version = sys.version_info[:2]
try:
    import ensurepip, venv
except ImportError:
    sys.exit("has no venv")
if not (3, 11) <= version <= (3, 14):
    sys.exit("is %d.%d" % version)
'
found=
newline='
'
if [ -n "${PYTHON:-}" ]; then
    set -- "${1:-requirements.lock}" "$PYTHON"
else
    set -- "${1:-requirements.lock}" .venv/bin/python .venv/Scripts/python.exe \
        python3 python3.14 python3.13 python3.12 python3.11 python
fi
lock=$1
shift
for python; do
    path=$(command -v "$python" 2>/dev/null) || continue
    if problem=$("$python" -c "$judge" 2>&1); then
        exec "$python" -I tools/setup_environment.py "$lock"
    fi
    found="$found${found:+, }$path ${problem##*"$newline"}"
done
printf '%s\n' "No Python 3.11 to 3.14 with venv (found: ${found:-none}): install one (Debian, Ubuntu: \
sudo apt install python3 python3-venv), or name one: PYTHON=/path/to/python." >&2
exit 1
