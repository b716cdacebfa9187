#!/bin/sh
# Proves what passes of LLVM's optimiser, and all of -O1 and -O2, did to functions of sqlite3, zlib, lua, bzip2 and
# zstd, each function by itself, and prints a table. Counted are functions whose text the pass changed.
#
#   benches/passes.sh [--every N] [--time S] [--files N] [--llvm 19] [--projects 'zlib lua bzip2 zstd sqlite3']
#                     [--crate 'NAME[=VERSION][/FEATURE]...'] [--passes 'mem2reg sroa ... O1 O2'] [--rank N] [--all yes] [--whole yes]
#
# Of every Nth file every Nth function is taken, of sqlite3's one file every thirtieth of those. mem2reg and sroa start
# from what clang writes, the others from what mem2reg makes of that; functions are made to stand alone before
# (docs/prove.md), but with --whole, where functions stay as they are and passes inline. --all counts functions that did not change too. --rank prints what kept functions from a proof, the N
# most frequent first. Other projects: lz4 libdeflate mimalloc tree-sitter secp256k1 webp pcre2, which figures are told of apart; --crate
# takes the C that any crates bundle instead, compiled as their build scripts do (benches/crate-mir.py).
# RECORD=1 in the environment keeps the figures: a row for the passes, one each for O1 and O2, and others for other projects.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
every=40 time=3 files=1 llvm=19 rank='' all='' whole='' crate='' projects='zlib lua bzip2 zstd sqlite3'
passes='mem2reg sroa instcombine simplifycfg early-cse gvn licm indvars loop-rotate reassociate O1 O2'
. "$here/benches/sources.sh"
options 15 'every time files llvm projects passes rank all whole crate' "$@"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fetch_sources "$work" "$ALL_SOURCES"
(cd "$here" && cargo build --release --quiet -p plumb-langs --example opt_prove)
prove=$(release_dir)/examples/opt_prove

for pass in $passes; do : > "$work/$pass.txt"; done
# compare STEP: what passes do to every STEPth function of $work/clang.ll.
compare() {
    if [ -n "$whole" ]; then cp "$work/clang.ll" "$work/raw.ll"; else "$prove" --alone "$work/clang.ll" > "$work/raw.ll"; fi
    opt-"$llvm" -S -passes=mem2reg -o "$work/mem.ll" "$work/raw.ll"
    for pass in $passes; do
        from=$work/mem.ll
        case $pass in
            O1 | O2) list="default<$pass>" ;;
            mem2reg | sroa) list=$pass from=$work/raw.ll ;;
            # Once is what the pass does in a pipeline; alone it would fail where twice did more.
            instcombine) list='instcombine<no-verify-fixpoint>' ;;
            *) list=$pass ;;
        esac
        opt-"$llvm" -S "-passes=$list" -o "$work/to.ll" "$from"
        "$prove" --time "$time" --every "$1" "$from" "$work/to.ll" < /dev/null > "$work/out"
        python3 - "$from" "$work/to.ll" "$work/out" "$all" >> "$work/$pass.txt" <<'PY'
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
    if not line.startswith("{") and (sys.argv[4] or a.get(name) != b.get(name)):
        print(line, end="")
PY
    done
}

[ -z "$crate" ] || projects=''
[ -z "$whole" ] || whole=-finline-functions
for project in $projects; do
    words_of "$project" > "$work/words"
    flags=$(grep '^-' "$work/words" | tr '\n' ' ')
    grep -v '^-' "$work/words" | awk "NR % $files == 0 || NR == 1" > "$work/list"
    step=$every
    [ "$project" != sqlite3 ] || step=$((every * 30))
    while IFS= read -r file; do
        clang-"$llvm" -S -emit-llvm -w -O1 ${whole:--fno-inline} -Xclang -disable-llvm-passes $flags -o "$work/clang.ll" "$file"
        compare "$step"
    done < "$work/list"
done
built=''
for one in $crate; do
    if ! "$here/benches/crate-mir.py" "$one" "$work/$one" --cc "clang-$llvm" --levels '' ${whole:+--inline} --ir >&2; then
        echo "passes.sh: $one is left out: it does not build with clang-$llvm" >&2
        continue
    fi
    built="$built $one"
    find "$work/$one/ir" -name '*.ll' | sort | awk "NR % $files == 0 || NR == 1" > "$work/list"
    while IFS= read -r file; do
        cp "$file" "$work/clang.ll"
        compare "$every"
    done < "$work/list"
done
crate=${built# }
set -- "${rank:-0}" "$work" "$here" "$projects" "$crate" "--every $every --files $files --time $time${all:+ --all yes}${whole:+ --whole yes}" $passes
python3 - "$@" <<'PY'
import collections, os, re, subprocess, sys
rank, work, here, projects, crates, words, passes = int(sys.argv[1]), *sys.argv[2:7], sys.argv[7:]
usual = "zlib lua bzip2 zstd sqlite3"
command = f"benches/passes.sh {words}" + (f" --projects '{projects}'" if projects not in ("", usual) else "")
command += f" --crate '{crates}'" * bool(crates)


def record(name, claim, passes, reach, figure):
    # What did not build has no figure.
    if os.environ.get("RECORD") == "1" and any(rows[p][1] for p in passes):
        name += "-whole" * ("--whole" in words) + ("-crates" if crates else "-unseen" * (projects != usual))
        claim += f", {(crates or projects).replace(' ', ', ')}"
        only = f" --passes '{' '.join(passes)}'"
        subprocess.run([f"{here}/benches/record.py", name, "Proving", claim, command + only, reach, figure], check=True)


rows = {}
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
            key = f"{verdict}: " + re.sub(r" \((from|line|instruction) .*?\)| at [^ ]*$|; seen to differ.*", "", why)
            reasons[key] += 1
            first.setdefault(key, f"{p} {name}")
    total = sum(n.values())
    good = n["proved"] + n["conditional"]
    print(f"| {p} | {total} | {n['proved']} | {n['conditional']} | {n['refuted']} | {n['unknown'] + n['bounded']} | "
          f"{n['unsupported']} | {100 * good / max(1, total):.1f} % |")
    rows[p] = (good, total, n["refuted"])
for key, n in reasons.most_common(rank):
    print(f"{n:5} {key} [{first[key]}]")
single = [p for p in passes if p not in ("O1", "O2")]
if single:
    shares = ", ".join(f"{p} {100 * rows[p][0] / max(1, rows[p][1]):.0f}" for p in single)
    totals, refuted = [rows[p][1] for p in single], sum(rows[p][2] for p in single)
    claim = f"pass by pass, {min(totals)} to {max(totals)} changed functions"
    record("prove-passes", claim, single, "each ≥ 85 %", f"{shares} %; {refuted} refuted")
for p, reach in (("O1", "≥ 85 %"), ("O2", "≥ 75 %")):
    if p in passes:
        good, total, refuted = rows[p]
        figure = f"{good} of {total} ({100 * good / max(1, total):.1f} %), {refuted} refuted"
        record(f"prove-opt-{p}", f"optimiser at -{p}, functions {'as they are' if '--whole' in words else 'standing alone'}", [p], reach, figure)
PY
