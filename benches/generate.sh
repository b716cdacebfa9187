#!/bin/sh
# The generator against csmith: speed in one call, validity on the abstract machine, then how much of GCC's and Clang's
# optimisers 30 programs of each reach. benches/generate-agree has compilers and sanitizers judge programs.
# usage: benches/generate.sh [COUNT]
# The last part needs gcc-events (prints distinct optimiser events) in $GCC_EVENTS and csmith's headers.
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
benches/clang-remarks "$dir"/ours/*.c
benches/clang-remarks -I "${CSMITH_INCLUDE:-/usr/include/csmith}" "$dir"/csmith/*.c
