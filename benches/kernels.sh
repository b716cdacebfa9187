#!/usr/bin/env bash
# CPU-bound kernels: `plumb run` with all checks on against `gcc -O0` machine code, side by side.
# Prints user+system seconds (the best of several runs) and the ratio, and last the geometric mean.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
best() { # runs, command... -> best CPU seconds
    local runs=$1 least=
    shift
    for _ in $(seq "$runs"); do
        local t
        t=$( { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }')
        if [ -z "$least" ] || awk "BEGIN { exit !($t < $least) }"; then least=$t; fi
    done
    echo "$least"
}
for file in benches/kernels/*.c; do
    name=$(basename "$file" .c)
    gcc -O0 -w "$file" -o "$work/$name"
    "$work/$name" || { echo "$name: wrong answer from gcc" >&2; exit 1; }
    target/release/plumb run "$file" >/dev/null || { echo "$name: not defined by plumb" >&2; exit 1; }
    # One process is too short to time alone: loops of the peer, whole runs of plumb.
    peer=$(best 3 bash -c "for k in 1 2 3 4 5 6 7 8 9 10; do $work/$name; done")
    ours=$(best 3 target/release/plumb run "$file")
    echo "$name $peer $ours" | tee -a "$work/all" >/dev/null
    awk -v n="$name" -v p="$peer" -v o="$ours" 'BEGIN { printf "%-10s gcc -O0 %7.4f s   plumb %7.3f s   %6.1f x\n", n, p / 10, o, o / (p / 10) }'
done
awk '{ s += log($3 / ($2 / 10)); n++ } END { printf "geometric mean of %d kernels: %.1f x\n", n, exp(s / n) }' "$work/all"
