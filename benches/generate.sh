#!/bin/sh
# The generator against csmith: speed in one call, then how much of GCC's optimiser 30 programs of each reach.
# usage: benches/generate.sh [COUNT]
# The second half needs gcc-events (prints distinct optimiser events) in $GCC_EVENTS and csmith's headers.
set -eu
cd "$(dirname "$0")/.."
cargo build --quiet --release -p plumb-generate --example speed --example validity --example program
target/release/examples/speed "${1:-4000}"
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
