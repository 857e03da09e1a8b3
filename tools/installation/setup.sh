#!/bin/sh
# Make or renew .venv from the locks that are named: find a Python ($PYTHON, else that of .venv, else the first that
# will do) and let it run environment.py. Every failure ends with one line that says what to do.
set -eu
cd "$(dirname "$0")/../.."
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
take_if_it_will_do() {
    path=$(command -v "$1" 2>/dev/null) || return 0
    if problem=$("$1" -c "$judge" 2>&1); then
        python=$1
    else
        found="$found${found:+, }$path ${problem##*"$newline"}"
    fi
}

python=
if [ -n "${PYTHON:-}" ]; then
    take_if_it_will_do "$PYTHON"
else
    for candidate in .venv/bin/python .venv/Scripts/python.exe \
        python3 python3.14 python3.13 python3.12 python3.11 python; do
        [ -n "$python" ] || take_if_it_will_do "$candidate"
    done
fi
[ -z "$python" ] || exec "$python" -I tools/installation/environment.py "$@"
printf '%s\n' "No Python 3.11 to 3.14 with venv (found: ${found:-none}): install one (Debian, Ubuntu: \
sudo apt install python3 python3-venv), or name one: PYTHON=/path/to/python." >&2
exit 1
