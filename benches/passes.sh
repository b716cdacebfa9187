#!/bin/sh
# Proves what passes of LLVM's optimiser, and all of -O1 and -O2 without inlining, did to functions of sqlite3, zlib,
# lua, bzip2 and zstd, and prints a table. Counted are functions whose text the pass changed.
#
#   benches/passes.sh [--every N] [--time S] [--files N] [--llvm 19] [--projects 'zlib lua bzip2 zstd sqlite3']
#                     [--passes 'mem2reg sroa ... O1 O2'] [--rank N]
#
# Of every Nth file every Nth function is taken. mem2reg and sroa start from what clang writes, the others from what
# mem2reg makes of that. --rank prints what kept functions from a proof, the N most frequent first.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
every=40 time=3 files=1 llvm=19 rank='' projects='zlib lua bzip2 zstd sqlite3'
passes='mem2reg sroa instcombine simplifycfg early-cse gvn licm indvars loop-rotate reassociate O1 O2'
while [ $# -gt 0 ]; do
    case $1 in
        --every) every=$2 ;;
        --time) time=$2 ;;
        --files) files=$2 ;;
        --llvm) llvm=$2 ;;
        --projects) projects=$2 ;;
        --passes) passes=$2 ;;
        --rank) rank=$2 ;;
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
. "$here/benches/sources.sh"
fetch_sources "$work" "$SQLITE" "$ZLIB" "$LUA" "$BZIP2" "$ZSTD"
(cd "$here" && cargo build --release --quiet -p plumb-langs --example opt_prove)
prove=$(cd "$here" && cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json,sys; print(json.load(sys.stdin)["target_directory"])')/release/examples/opt_prove

# The C files of a project; what they need of the preprocessor goes to `flags`.
sources() {
    case $1 in
        sqlite3) echo "$(source_of libsqlite3-sys)/sqlite3/sqlite3.c" ;;
        zlib) ls "$(source_of libz-sys)"/src/zlib/*.c ;;
        lua) ls "$(ls -d "$(source_of lua-src)"/lua-5.4.*)"/*.c | grep -v -e '/lua\.c$' -e '/luac\.c$' ;;
        bzip2) for f in blocksort huffman crctable randtable compress decompress bzlib; do
            ls "$(source_of bzip2-sys)"/bzip2-1*/$f.c
        done ;;
        zstd) dir=$(source_of zstd-sys)/zstd/lib; ls "$dir"/common/*.c "$dir"/compress/*.c "$dir"/decompress/*.c ;;
        *) echo "no such project: $1" >&2; exit 2 ;;
    esac
}
flags='-w -DHAVE_UNISTD_H=1 -DZSTD_DISABLE_ASM=1'

for pass in $passes; do : > "$work/$pass.txt"; done
for project in $projects; do
    sources "$project" | awk "NR % $files == 0 || NR == 1" > "$work/list"
    while IFS= read -r file; do
        clang-"$llvm" -S -emit-llvm -O1 -Xclang -disable-llvm-passes $flags -o "$work/raw.ll" "$file"
        opt-"$llvm" -S -passes=mem2reg -o "$work/mem.ll" "$work/raw.ll"
        for pass in $passes; do
            from=$work/mem.ll
            case $pass in
                O1 | O2) clang-"$llvm" -S -emit-llvm "-$pass" -fno-inline $flags -o "$work/to.ll" "$file" ;;
                mem2reg | sroa) from=$work/raw.ll; opt-"$llvm" -S "-passes=$pass" -o "$work/to.ll" "$from" ;;
                *) opt-"$llvm" -S "-passes=$pass" -o "$work/to.ll" "$from" ;;
            esac
            "$prove" --time "$time" --every "$every" "$from" "$work/to.ll" < /dev/null > "$work/out"
            python3 - "$from" "$work/to.ll" "$work/out" >> "$work/$pass.txt" <<'PY'
import re, sys
def bodies(path):
    text = open(path, errors="replace").read()
    out = {}
    for m in re.finditer(r'^define [^\n]*?@("[^"]*"|[\w.$-]+)\(.*?^\}', text, re.M | re.S):
        # Numbers of attribute groups and metadata say nothing.
        out[m.group(1)] = re.sub(r'[#!]\d+', '', m.group(0))
    return out
a, b = bodies(sys.argv[1]), bodies(sys.argv[2])
for line in open(sys.argv[3], errors="replace"):
    name, _, rest = line.partition(": ")
    if not line.startswith("{") and a.get(name) != b.get(name):
        print(line, end="")
PY
        done
    done < "$work/list"
done
python3 - "${rank:-0}" "$work" $passes <<'PY'
import collections, re, sys
rank, work, passes = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
print("| Pass | Functions changed | Proved | Conditional | Refuted | Unknown | Unsupported | Reach |\n|---|---|---|---|---|---|---|---|")
reasons, first = collections.Counter(), {}
for p in passes:
    n = collections.Counter()
    for line in open(f"{work}/{p}.txt"):
        name, _, rest = line.partition(": ")
        verdict = rest.split(" ")[0]
        n[verdict] += 1
        if verdict in ("unknown", "unsupported", "refuted"):
            why = re.sub(r"^\w+ \d+ ms ", "", rest.strip())
            key = f"{verdict}: " + re.sub(r" \(from .*?\)| at [^ ]*$|; seen to differ.*", "", why)
            reasons[key] += 1
            first.setdefault(key, f"{p} {name}")
    total = sum(n.values())
    good = n["proved"] + n["conditional"]
    print(f"| {p} | {total} | {n['proved']} | {n['conditional']} | {n['refuted']} | {n['unknown'] + n['bounded']} | "
          f"{n['unsupported']} | {100 * good / max(1, total):.1f} % |")
for key, n in reasons.most_common(rank):
    print(f"{n:5} {key} [{first[key]}]")
PY
