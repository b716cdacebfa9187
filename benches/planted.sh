#!/bin/sh
# Plants faults in the machine functions that clang selects for lua and zlib, proves each, and compares both sides by
# running them where a proof was found: none may be told apart.
#
#   benches/planted.sh [COUNT] [SEED]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
. "$here/benches/sources.sh"
fetch_sources "$work" "$ZLIB" "$LUA"
lua=$(ls -d "$(source_of lua-src)"/lua-5.4.*)
zlib=$(source_of libz-sys)/src/zlib
for level in 0 1; do
    for f in "$lua"/ltable.c "$lua"/lstring.c "$lua"/lfunc.c "$lua"/lobject.c "$lua"/ltm.c "$lua"/lmem.c "$lua"/lzio.c \
        "$zlib"/adler32.c "$zlib"/crc32.c "$zlib"/trees.c "$zlib"/inffast.c; do
        clang-19 -S "-O$level" -w -mllvm -stop-after=finalize-isel -o "$work/$(basename "$f" .c).$level.mir" "$f"
    done
done
cd "$here"
cargo run --release --quiet -p plumb-langs --example planted -- --count "${1:-5000}" --seed "${2:-1}" --size 60 \
    --runs 100 --time 1.5 --keep "$here/target/planted-faults" "$work"/*.mir
