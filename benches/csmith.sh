#!/usr/bin/env bash
# Csmith programs, seeds 1-60 (or FIRST LAST), --no-float: time to plumb's verdict (preprocessing included) against
# compiling with gcc -O0 -fsanitize=address,undefined and running; and the checksums against gcc -O0.
# Programs that run past 10 s under gcc -O0 are left out of the comparison and counted.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p plumb
first=${1:-1} last=${2:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=(-I/usr/include/csmith)
agree=0 endless=0 undefined=0 differ=0 ours_all=0 peer_all=0
cpu() { { TIMEFORMAT='%U %S'; time "$@"; } 2>&1 >"$work/out" | tail -1 | awk '{ print $1 + $2 }'; }
for seed in $(seq "$first" "$last"); do
    csmith --seed "$seed" --no-float >"$work/p.c"
    gcc -O0 -w "${include[@]}" "$work/p.c" -o "$work/plain"
    if ! timeout 10 "$work/plain" >"$work/expected"; then
        endless=$((endless + 1))
        echo "seed $seed: gcc -O0 runs past 10 s; left out"
        continue
    fi
    peer=$(cpu bash -c "gcc -O0 -g -w ${include[*]} -fsanitize=address,undefined $work/p.c -o $work/san && ASAN_OPTIONS=detect_leaks=0 timeout 60 $work/san 2>$work/san.err")
    ours=$(cpu bash -c "target/release/plumb run ${include[*]} $work/p.c 2>$work/err; echo \$? >$work/code")
    code=$(cat "$work/code")
    ours_all=$(awk "BEGIN { print $ours_all + $ours }")
    peer_all=$(awk "BEGIN { print $peer_all + $peer }")
    case $code in
    0)
        if cmp -s "$work/out" "$work/expected"; then agree=$((agree + 1)); else differ=$((differ + 1)); echo "seed $seed: DIFFERS from gcc"; fi
        ;;
    3)
        undefined=$((undefined + 1))
        said=$(grep -c 'runtime error' "$work/san.err" || true)
        target/release/plumb run --allow-misaligned "${include[@]}" "$work/p.c" >"$work/out" 2>/dev/null || true
        same=differs
        cmp -s "$work/out" "$work/expected" && same="same checksum"
        echo "seed $seed: $(grep -o 'undefined[^:]*' "$work/err" | head -1) (gcc's sanitizers: $said reports; --allow-misaligned: $same)"
        ;;
    *) differ=$((differ + 1)); echo "seed $seed: exit $code: $(head -1 "$work/err")" ;;
    esac
done
echo "agree $agree, undefined $undefined, differ $differ, endless $endless"
awk "BEGIN { printf \"CPU: plumb %.2f s, gcc with sanitizers %.2f s, 1/%.0f\n\", $ours_all, $peer_all, $peer_all / $ours_all }"
[ "$differ" = 0 ]
