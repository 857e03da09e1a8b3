#!/bin/sh
# Make or renew .venv from the lock named by $1. Finds a Python ($PYTHON, or the first that will do) and lets
# it run setup_environment.py. Every failure ends with one line that says what to do.
set -eu
cd "$(dirname "$0")/.."
unset PYTHONHOME PYTHONPATH
lock=${1:-requirements.lock}

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

# The usual case, and the fast one: nothing has changed.
for python in .venv/bin/python .venv/Scripts/python.exe; do
    if [ -z "${PYTHON:-}" ] && [ -x "$python" ] &&
        "$python" -I tools/setup_environment.py --lock "$lock" --is-current 2>/dev/null; then
        exit 0
    fi
done

# Says the version and ends with 0 (good), 10 (too old), 11 (too new) or 12 (no venv); for any Python since 2.
judge='
import sys
version = sys.version_info[:2]
sys.stdout.write("%d.%d" % version)
if version < (3, 11):
    sys.exit(10)
if version > (3, 14):
    sys.exit(11)
try:
    import ensurepip, venv
except ImportError:
    sys.exit(12)
'

problem=
weight=0
try() {
    path=$(command -v "$1" 2>/dev/null) || return 1
    verdict=0
    version=$("$1" -c "$judge" 2>/dev/null) || verdict=$?
    case $verdict in
    0) return 0 ;;
    10) note 1 "Python $version ($path) is too old: install Python 3.11 to 3.14, or name one: PYTHON=/path/to/python." ;;
    11) note 2 "Python $version ($path) is too new: install Python 3.11 to 3.14, or name one: PYTHON=/path/to/python." ;;
    12) note 3 "Python $version ($path) has no venv: install it (Debian, Ubuntu: sudo apt install python$version-venv), or name another Python 3.11 to 3.14: PYTHON=/path/to/python." ;;
    esac
    return 1
}
# Of several problems, keep the one that is easiest to put right.
note() {
    if [ "$1" -gt "$weight" ]; then
        weight=$1
        problem=$2
    fi
}

if [ -n "${PYTHON:-}" ]; then
    if ! try "$PYTHON"; then
        fail "${problem:-PYTHON=$PYTHON is no Python that runs: give the path of a Python 3.11 to 3.14.}"
    fi
    exec "$PYTHON" -I tools/setup_environment.py --lock "$lock" --this-python
fi
for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if try "$python"; then
        exec "$python" -I tools/setup_environment.py --lock "$lock"
    fi
done
fail "${problem:-No Python found: install Python 3.11 to 3.14, or name one: PYTHON=/path/to/python.}"
