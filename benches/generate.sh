#!/bin/sh
# The generator against csmith: speed in one call, validity on the abstract machine, then how much of GCC's and Clang's
# optimisers 30 programs of each reach. benches/generate-agree has compilers and sanitizers judge programs.
# usage: benches/generate.sh [COUNT]
# The last part needs gcc-events (prints distinct optimiser events) in $GCC_EVENTS and csmith's headers; with YARPGen's executable
# in $YARPGEN it counts that one's programs too, and what both peers reach together.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release -p plumb-generate --example speed --example validity --example program
target/release/examples/speed "${1:-4000}" 60
target/release/examples/validity 0 "${1:-4000}"
target/release/examples/validity 0 "${1:-4000}" --swarm
[ -n "${GCC_EVENTS:-}" ] || exit 0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/ours" "$dir/csmith"
for seed in $(seq 1 30); do
    target/release/examples/program "$seed" --int128 --tokens 12000 --max-funcs 30 >"$dir/ours/$seed.c" 2>/dev/null
    csmith --seed "$seed" >"$dir/csmith/$seed.c"
done
"$GCC_EVENTS" "$dir"/ours/*.c
"$GCC_EVENTS" -I "${CSMITH_INCLUDE:-/usr/include/csmith}" "$dir"/csmith/*.c
if [ -n "${YARPGEN:-}" ]; then
    for seed in $(seq 1 30); do
        mkdir -p "$dir/yarpgen/$seed"
        "$YARPGEN" --seed="$seed" --std=c --out-dir="$dir/yarpgen/$seed" >/dev/null
    done
    "$GCC_EVENTS" "$dir"/yarpgen/*/func.c
    "$GCC_EVENTS" -I "${CSMITH_INCLUDE:-/usr/include/csmith}" "$dir"/csmith/*.c "$dir"/yarpgen/*/func.c
fi
benches/clang-remarks "$dir"/ours/*.c
benches/clang-remarks -I "${CSMITH_INCLUDE:-/usr/include/csmith}" "$dir"/csmith/*.c
