#!/usr/bin/env bash
# CPU-bound kernels: `plumb run` with all checks on against `gcc -O0` machine code, side by side.
# Prints user+system seconds (the best of several runs) and the ratio, and last the geometric mean. With another plumb as
# argument that one runs in turns with this one, and the ratio of new to old is printed too.
# usage: benches/kernels.sh [OLD-PLUMB]     RECORD=1 in the environment writes the figure of RESULTS.md
set -euo pipefail
cd "$(dirname "$0")/.."
old=${1:+$(realpath "$1")}
cargo build --release --quiet -p plumb
here=$PWD
. benches/sources.sh
plumb=$(release_dir)/plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
once() { # command... -> CPU seconds
    { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
less() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b < a) ? b : a }'; }
for file in benches/kernels/*.c; do
    name=$(basename "$file" .c)
    gcc -O0 -w "$file" -o "$work/$name"
    "$work/$name" || { echo "$name: wrong answer from gcc" >&2; exit 1; }
    "$plumb" run "$file" >/dev/null || { echo "$name: not defined by plumb" >&2; exit 1; }
    peer='' ours='' before=''
    # One process of the peer is too short to time alone: loops of it, whole runs of plumb, in turns.
    for _ in 1 2 3 ${old:+4 5 6 7}; do
        peer=$(less "$peer" "$(once bash -c "for k in 1 2 3 4 5 6 7 8 9 10; do $work/$name; done")")
        ours=$(less "$ours" "$(once "$plumb" run "$file")")
        [ -z "$old" ] || before=$(less "$before" "$(once "$old" run "$file")")
    done
    echo "$name $peer $ours ${before:-0}" >>"$work/all"
    awk -v n="$name" -v p="$peer" -v o="$ours" -v b="${before:-0}" 'BEGIN {
        printf "%-10s gcc -O0 %7.4f s   plumb %7.3f s   %6.1f x", n, p / 10, o, o / (p / 10)
        if (b > 0) printf "   old plumb %7.3f s   %5.3f x", b, o / b
        print "" }'
done
awk '{ s += log($3 / ($2 / 10)); if ($4 > 0) o += log($3 / $4); n++ } END {
    printf "geometric mean of %d kernels: %.1f x", n, exp(s / n)
    if (o != 0) printf "   of old plumb: %.3f x", exp(o / n)
    print "" }' "$work/all"
if [ "${RECORD:-}" = 1 ]; then
    figure=$(awk '{ r = $3 / ($2 / 10); s += log(r); n++; if (r > worst) { worst = r; name = $1 } }
        END { printf "%.1f × over %d kernels, worst %.1f × (%s)", exp(s / n), n, worst, name }' "$work/all")
    benches/record.py machine-kernels 'Abstract machine' 'CPU-bound kernels, all checks on' benches/kernels.sh \
        '≤ 25 × (geometric mean)' "$figure" 'gcc -O0, 1 ×'
fi
