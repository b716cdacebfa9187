#!/usr/bin/env bash
# Parse and check of sqlite3.c as gcc preprocesses it; the peer is gcc's own front end (-fsyntax-only).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p plumb-csyntax --example check_file
manifest=$(cargo metadata --format-version 1 --locked | tr ',' '\n' | grep -o '"manifest_path":"[^"]*libsqlite3-sys[^"]*"' | head -1 | cut -d'"' -f4)
source=$(dirname "$manifest")/sqlite3/sqlite3.c
[ -f "$source" ] || { echo "sqlite3.c is not where libsqlite3-sys should have it: $source" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -E "$source" -o "$work/sqlite3.i"
echo "preprocessed: $(stat -c %s "$work/sqlite3.i") bytes"
for _ in 1 2 3 4 5; do target/release/examples/check_file "$work/sqlite3.i"; done
TIMEFORMAT='gcc -fsyntax-only: %U s'
time gcc -w -fsyntax-only "$work/sqlite3.i"
