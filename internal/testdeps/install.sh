#!/usr/bin/env bash
# Installs what only the tests need, by package name: a Parquet reader that is
# neither of ours. Tests that need it skip, loudly, where it is missing outside CI.
set -euo pipefail
venv="${BENCHMILL_DEPS:-$PWD/.benchmill/deps}"
if [ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import pyarrow' 2>/dev/null; then
  exit 0
fi
command -v python3 >/dev/null || { echo "python3 is missing; tests that need it will be skipped" >&2; exit 0; }
python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check 'pyarrow==17.0.0' ||
  { echo "pyarrow could not be installed; tests that need it will be skipped" >&2; [ -z "${CI:-}" ]; }
