#!/usr/bin/env bash
# Installs what only the tests need, by package name: a Parquet reader that is
# neither of ours; what describes GitHub's APIs that we did not write: their
# OpenAPI description, their GraphQL schema, recorded conversations; compilers and
# checkers to compare with, and what runs them, and other programs, in isolation.
# Tests that need them skip, loudly, where they are missing outside CI.
set -euo pipefail
deps="${BENCHMILL_DEPS:-$PWD/.benchmill/deps}"

missing() {
  echo "$1; tests that need it will be skipped" >&2
  [ -z "${CI:-}" ]
}

python_packages() {
  local packages="pyarrow==17.0.0 pylint==3.2.7"
  if [ "$(cat "$deps/installed" 2>/dev/null)" = "$packages" ] && "$deps/bin/python" -c 'import pyarrow, pylint' 2>/dev/null; then
    return
  fi
  # shellcheck disable=SC2086
  if ! command -v python3 >/dev/null; then
    missing "python3 is not there"
  elif [ -x "$deps/bin/pip" ] || python3 -m venv "$deps" && "$deps/bin/pip" install --quiet --disable-pip-version-check $packages; then
    echo "$packages" >"$deps/installed"
  else
    missing "$packages could not be installed"
  fi
}

# Nothing in these packages is run while they are installed, and no lock file is
# left.
node_packages() {
  local packages="@octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1 @octokit/fixtures@23.1.2 typescript@5.4.5"
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
    missing "$packages could not be installed"
  fi
}

# libclang tells whether the library is there, of any version, with its headers.
libclang() {
  compgen -G '/usr/lib/llvm-*/lib/libclang[-.][s0-9]*' >/dev/null && compgen -G '/usr/lib/llvm-*/lib/clang/*/include/stddef.h' >/dev/null
}

# What is there stays as it is.
system_packages() {
  local packages="" sudo=""
  command -v mcs >/dev/null || packages="$packages mono-mcs"
  command -v javac >/dev/null || packages="$packages default-jdk-headless"
  command -v bwrap >/dev/null || packages="$packages bubblewrap"
  command -v unshare >/dev/null && command -v setpriv >/dev/null || packages="$packages util-linux"
  command -v perl >/dev/null || packages="$packages perl"
  command -v gcc >/dev/null && command -v gcov >/dev/null || packages="$packages gcc"
  command -v g++ >/dev/null || packages="$packages g++"
  command -v make >/dev/null || packages="$packages make"
  libclang || packages="$packages libclang1-14 libclang-common-14-dev"
  if [ -z "$packages" ]; then
    return
  fi
  if [ "$(id -u)" != 0 ]; then
    sudo="sudo -n"
  fi
  # shellcheck disable=SC2086
  if ! command -v apt-get >/dev/null || ! { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $packages; } >/dev/null; then
    missing "$packages could not be installed"
  fi
}

# A link of its own, so that all tools are found in one folder.
link_tools() {
  if [ -x "$deps/npm/node_modules/.bin/tsc" ] && [ -d "$deps/bin" ]; then
    ln -sfn ../npm/node_modules/.bin/tsc "$deps/bin/tsc"
  fi
}

python_packages
node_packages
system_packages
link_tools
