#!/usr/bin/env bash
# Runs every fuzz target for a short time each.
set -euo pipefail
seconds="${FUZZ_SECONDS:-10}"
grep -rlE '^func Fuzz' --include='*_test.go' artifacts cmd internal pipeline sources stages | sort | while read -r file; do
  package="./$(dirname "$file")"
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | sed 's/^func //' | while read -r target; do
    echo "$package $target"
    go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" -fuzzminimizetime 1x
  done
done
