#!/usr/bin/env bash
# Installs what only the tests need, by package name: a Parquet reader that is
# neither of ours, and what describes GitHub's APIs that we did not write: their
# OpenAPI description, their GraphQL schema, recorded conversations.
# Tests that need them skip, loudly, where they are missing outside CI.
set -euo pipefail
deps="${BENCHMILL_DEPS:-$PWD/.benchmill/deps}"

missing() {
  echo "$1; tests that need it will be skipped" >&2
  [ -z "${CI:-}" ]
}

python_packages() {
  if [ -x "$deps/bin/python" ] && "$deps/bin/python" -c 'import pyarrow' 2>/dev/null; then
    return
  fi
  if ! command -v python3 >/dev/null; then
    missing "python3 is not there"
  elif ! python3 -m venv "$deps" || ! "$deps/bin/pip" install --quiet --disable-pip-version-check 'pyarrow==17.0.0'; then
    missing "pyarrow could not be installed"
  fi
}

# Packages of data: nothing in them is run, and no lock file is left.
node_packages() {
  local packages="@octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1 @octokit/fixtures@23.1.2"
  if [ "$(cat "$deps/npm/installed" 2>/dev/null)" = "$packages" ]; then
    return
  fi
  if ! command -v npm >/dev/null; then
    missing "npm is not there"
    return
  fi
  mkdir -p "$deps/npm"
  # shellcheck disable=SC2086
  if npm install --prefix "$deps/npm" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error $packages >/dev/null; then
    rm -f "$deps/npm/node_modules/.package-lock.json"
    echo "$packages" >"$deps/npm/installed"
  else
    missing "the @octokit packages could not be installed"
  fi
}

python_packages
node_packages
