#!/bin/sh
# Proves what clang's instruction selection did to sqlite3, zlib, lua, bzip2 and zstd, and prints a table.
# The sources come from the crates that bundle them.
#
#   benches/prove.sh [--sample N] [--seed N] [--cc 'clang-19 clang-14'] [--levels '0 2'] [--timeout 60s] [--jobs N]
#                    [--projects 'sqlite3 zlib lua bzip2 zstd'] [--reports DIR]
#
# With --sample only so many functions of each project, the same ones at every call. --reports keeps the JSON lines.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
sample='' seed=1 ccs=clang-19 levels='0 2' timeout=60s jobs='' reports=''
projects='sqlite3 zlib lua bzip2 zstd'
while [ $# -gt 0 ]; do
    case $1 in
        --sample) sample=$2 ;;
        --seed) seed=$2 ;;
        --cc) ccs=$2 ;;
        --levels) levels=$2 ;;
        --timeout) timeout=$2 ;;
        --jobs) jobs=$2 ;;
        --projects) projects=$2 ;;
        --reports) reports=$2 ;;
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
[ -n "$reports" ] || reports=$work/reports
mkdir -p "$reports" "$work/fetch/src"

(cd "$here" && cargo build --release --quiet -p plumb)
plumb=$(cd "$here" && cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json,sys; print(json.load(sys.stdin)["target_directory"])')/release/plumb

cat > "$work/fetch/Cargo.toml" <<'TOML'
[package]
name = "sources"
version = "0.0.0"
edition = "2021"

[dependencies]
libsqlite3-sys = "=0.38.2"
libz-sys = "=1.1.31"
lua-src = "=551.1.0"
bzip2-sys = "=0.1.13"
zstd-sys = "=2.1.2"
TOML
: > "$work/fetch/src/lib.rs"
cargo fetch --quiet --manifest-path "$work/fetch/Cargo.toml"
cargo metadata --format-version 1 --manifest-path "$work/fetch/Cargo.toml" > "$work/metadata.json"
source_of() {
    python3 -c 'import json,os,sys
for p in json.load(open(sys.argv[1]))["packages"]:
    if p["name"] == sys.argv[2]: print(os.path.dirname(p["manifest_path"]))' "$work/metadata.json" "$1"
}

# The files of a project and what they need of the preprocessor, one word a line.
words_of() {
    case $1 in
        sqlite3) printf '%s\n' "$(source_of libsqlite3-sys)/sqlite3/sqlite3.c" ;;
        zlib) printf '%s\n' -DHAVE_UNISTD_H=1 "$(source_of libz-sys)"/src/zlib/*.c ;;
        lua)
            dir=$(ls -d "$(source_of lua-src)"/lua-5.4.*)
            ls "$dir"/*.c | grep -v -e '/lua\.c$' -e '/luac\.c$'
            ;;
        bzip2)
            dir=$(ls -d "$(source_of bzip2-sys)"/bzip2-1*)
            for f in blocksort huffman crctable randtable compress decompress bzlib; do
                printf '%s\n' "$dir/$f.c"
            done
            ;;
        zstd)
            dir=$(source_of zstd-sys)/zstd/lib
            printf '%s\n' "-I$dir" -DZSTD_DISABLE_ASM=1 "$dir"/common/*.c "$dir"/compress/*.c "$dir"/decompress/*.c
            ;;
        *) echo "no such project: $1" >&2; exit 2 ;;
    esac
}

printf '| Project | Compiler | Functions | Proved | Conditional | Refuted | Unknown | Unsupported | Out of time | Reach | Mean | Median | Peak |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|---|---|\n'
for cc in $ccs; do
    for level in $levels; do
        for project in $projects; do
            out=$reports/$project-$cc-O$level.jsonl
            words_of "$project" > "$work/words"
            set -- prove --json --timeout "$timeout" --cc "$cc" "-O$level" --seed "$seed"
            [ -z "$sample" ] || set -- "$@" --sample "$sample"
            [ -z "$jobs" ] || set -- "$@" --jobs "$jobs"
            while IFS= read -r word; do set -- "$@" "$word"; done < "$work/words"
            "$plumb" "$@" > "$out" 2> "$out.log" || [ $? -ne 2 ] || { cat "$out.log" >&2; exit 2; }
            tail -n 1 "$out" | python3 -c 'import json,sys
s = json.load(sys.stdin); v = s["verdicts"]
good = v["proved"] + v["conditional"]
cells = [sys.argv[1], sys.argv[2], s["functions"], v["proved"], v["conditional"], v["refuted"],
         v["unknown"] + v["bounded"], v["unsupported"], s["timed_out"], "%.1f %%" % (100 * good / max(1, s["functions"])),
         "%.2f s" % (s["mean_ms"] / 1e3), "%.0f ms" % s["median_ms"], "%d MB" % (s["peak_memory"] >> 20)]
print("| " + " | ".join(map(str, cells)) + " |")' "$project" "$cc -O$level"
        done
    done
done
