#!/bin/sh
# Plants faults in the machine functions that clang selects for lua and zlib, proves each, and compares both sides by
# running them where a proof was found: none may be told apart.
#
#   benches/planted.sh [COUNT] [SEED]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/fetch/src"
cat > "$work/fetch/Cargo.toml" <<'TOML'
[package]
name = "sources"
version = "0.0.0"
edition = "2021"

[dependencies]
libz-sys = "=1.1.31"
lua-src = "=551.1.0"
TOML
: > "$work/fetch/src/lib.rs"
cargo fetch --quiet --manifest-path "$work/fetch/Cargo.toml"
cargo metadata --format-version 1 --manifest-path "$work/fetch/Cargo.toml" > "$work/metadata.json"
source_of() {
    python3 -c 'import json,os,sys
for p in json.load(open(sys.argv[1]))["packages"]:
    if p["name"] == sys.argv[2]: print(os.path.dirname(p["manifest_path"]))' "$work/metadata.json" "$1"
}
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
    --runs 100 --time 1.5 --keep planted-faults "$work"/*.mir
