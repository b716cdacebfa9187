# Sourced by what measures on real programs: the sources that crates bundle, fetched once, and where they lie.

# fetch_sources DIR 'NAME = "=VERSION"'...: fetches these crates; DIR is a directory of the caller's.
fetch_sources() {
    fetched=$1
    shift
    mkdir -p "$fetched/fetch/src"
    {
        printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n'
        printf '%s\n' "$@"
    } > "$fetched/fetch/Cargo.toml"
    : > "$fetched/fetch/src/lib.rs"
    cargo fetch --quiet --manifest-path "$fetched/fetch/Cargo.toml"
    cargo metadata --format-version 1 --manifest-path "$fetched/fetch/Cargo.toml" > "$fetched/metadata.json"
}

# source_of NAME: the directory of a fetched crate.
source_of() {
    python3 -c 'import json,os,sys
for p in json.load(open(sys.argv[1]))["packages"]:
    if p["name"] == sys.argv[2]: print(os.path.dirname(p["manifest_path"]))' "$fetched/metadata.json" "$1"
}

SQLITE='libsqlite3-sys = "=0.38.2"'
ZLIB='libz-sys = "=1.1.31"'
LUA='lua-src = "=551.1.0"'
BZIP2='bzip2-sys = "=0.1.13"'
ZSTD='zstd-sys = "=2.1.2"'
