#!/usr/bin/env bash
# The house: sizes of functions and files and imports between rooms, as its tests count them, and what `cargo build
# --release -p plumb` takes from nothing on two processors.
# usage: benches/house.sh [--no-build]     RECORD=1 in the environment writes the figures of RESULTS.md
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
record() { if [ "${RECORD:-}" = 1 ]; then benches/record.py "$@"; fi }

cargo test --release --quiet -p plumb --test tidy_sizes --test tidy_rooms -- --nocapture --test-threads 1 >"$work/tests" 2>&1 ||
    { cat "$work/tests"; exit 1; }
line() { grep -aoE "$1" "$work/tests" | head -n 1; }
functions=$(line '[0-9]+ functions, .*') files=$(line '[0-9]+ files, .*') imports=$(line '[0-9]+ imports between rooms.*')
printf '%s\n%s\n%s\n' "$functions" "$files" "$imports"
record house-functions 'The house' 'functions over 60 lines; the longest but the dispatch of the machine; parameters' \
    benches/house.sh '< 2 %; 120; ≤ 6, by the test' "$functions" ''
record house-files 'The house' 'lines of files' benches/house.sh 'p50/p90 ≤ 200/500; none over 800 but tables' "$files" ''
record house-imports 'The house' 'imports that run upwards, circles (equiv, langs, campaign, crossver, frontend)' \
    benches/house.sh '0, 0; by the test' "$imports" ''

[ "${1:-}" != --no-build ] || exit 0
# Processors may be shared with others: CPU seconds over two processors are what a build takes at least.
TIMEFORMAT='%R %U %S'
{ time CARGO_TARGET_DIR=$work/target cargo build --release --locked -j 2 -p plumb >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }; } 2>"$work/time"
build=$(awk '{ printf "%.0f s, %.0f CPU s (over two: %.0f s)", $1, $2 + $3, ($2 + $3) / 2 }' "$work/time")
echo "cargo build --release -p plumb from nothing: $build"
record house-build 'The house' 'cargo build --release -p plumb from nothing, two processors' benches/house.sh '≤ 150 s' "$build" ''
