#!/bin/sh
# Proves what clang's instruction selection did to sqlite3, zlib, lua, bzip2 and zstd, and prints a table.
# The sources come from the crates that bundle them.
#
#   benches/prove.sh [--sample N] [--seed N] [--cc 'clang-19 clang-14'] [--levels '0 2'] [--timeout 60s] [--jobs N]
#                    [--projects 'sqlite3 zlib lua bzip2 zstd'] [--reports DIR] [--rank N] [--against PLUMB]
#                    [--crate 'NAME[=VERSION][/FEATURE]...' [--words '-march=x86-64-v3']] [--plumb PROGRAM]
#
# With --sample only so many functions of each project, the same ones at every call; without it whole projects.
# --reports keeps the JSON lines. --rank prints what kept functions from a proof, the N most frequent first.
# --against names the executable of another version, which proves the same functions in the same run; a second table then
# compares the CPU time and the proofs of both, and with RECORD=1 in the environment the ratio is recorded.
# --crate proves the C that any crates bundle instead, compiled as their build scripts do (benches/crate-mir.py), with
# --words more for the compiler; with RECORD=1 that reach is recorded. Crates that do not build are named and left out. --plumb
# names an executable that is built.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
crate='' words='' plumb=''
sample='' seed=1 cc=clang-19 levels='0 2' timeout=60s jobs='' reports='' rank=''
against='' projects='sqlite3 zlib lua bzip2 zstd'
. "$here/benches/sources.sh"
options 15 'sample seed cc levels timeout jobs projects reports rank against crate words plumb' "$@"
[ -z "$crate" ] || projects=''

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
[ -n "$reports" ] || reports=$work/reports
mkdir -p "$reports"

if [ -z "$plumb" ]; then
    (cd "$here" && cargo build --release --quiet -p plumb)
    plumb=$(release_dir)/plumb
fi
plumb=$(realpath "$plumb") reports=$(realpath "$reports")

[ -z "$projects" ] || fetch_sources "$work" "$SQLITE" "$ZLIB" "$LUA" "$BZIP2" "$ZSTD"

# A row of the table: name, compiler, reports. Functions that another project's report has as well count for each.
row() {
    python3 - "$@" <<'PY'
import json, sys
functions, ended, peak = [], 0, 0
for path in sys.argv[3:]:
    for line in open(path):
        entry = json.loads(line)
        if entry.get("type") == "function":
            functions.append(entry)
            peak = max(peak, entry.get("peak_memory") or 0)
            ended += entry.get("ended") == "time"
count = lambda *verdicts: sum(f["verdict"] in verdicts for f in functions)
times = sorted(f["ms"] for f in functions if "ms" in f) or [0]
n = max(1, len(functions))
cells = [sys.argv[1], sys.argv[2], len(functions), count("proved"), count("conditional"), count("refuted"),
         count("unknown", "bounded"), count("unsupported"), ended,
         "%.1f %%" % (100 * count("proved", "conditional") / n), "%.2f s" % (sum(times) / len(times) / 1e3),
         "%.0f ms" % times[len(times) // 2], "%d MB" % (peak >> 20)]
print("| " + " | ".join(map(str, cells)) + " |")
PY
}

# What kept functions from a proof, most frequent first: how many to show, reports.
ranking() {
    python3 - "$@" <<'PY'
import collections, json, re, sys
reasons, first = collections.Counter(), {}
for path in sys.argv[2:]:
    for line in open(path):
        f = json.loads(line)
        if f.get("type") != "function" or f["verdict"] in ("proved", "conditional"):
            continue
        what = f.get("unsupported", {}).get("what") or f.get("reason", {}).get("what") or ""
        what = re.sub(r" \((line|instruction) \d+\)", "", what)
        late = " (out of time)" if f.get("ended") == "time" else ""
        key = f"{f['verdict']}{late}: {what}".rstrip(": ")
        reasons[key] += 1
        first.setdefault(key, f["function"])
for key, n in reasons.most_common(int(sys.argv[1])):
    print(f"{n:5} {key} [{first[key]}]")
PY
}

printf '| Project | Compiler | Functions | Proved | Conditional | Refuted | Unknown | Unsupported | Out of time | Reach | Mean | Median | Peak |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|---|---|\n'
ccs=$cc
for cc in $ccs; do
    built=''
    for one in $crate; do
        # One that does not build here has no functions to prove: it is named, and stands in no row.
        if "$here/benches/crate-mir.py" "$one" "$work/$cc/$one" --cc "$cc" --levels "$levels" "--words=$words" >&2; then
            built="$built $one"
        else
            echo "prove.sh: $one is left out: it does not build with $cc" >&2
        fi
    done
    crate=${built# }
    for level in $levels; do
        files=''
        for project in $projects; do
            out=$reports/$project-$cc-O$level.jsonl
            words_of "$project" > "$work/words"
            set -- prove --json --timeout "$timeout" --cc "$cc" "-O$level" --seed "$seed"
            [ -z "$sample" ] || set -- "$@" --sample "$sample"
            [ -z "$jobs" ] || set -- "$@" --jobs "$jobs"
            while IFS= read -r word; do set -- "$@" "$word"; done < "$work/words"
            "$plumb" "$@" > "$out" 2> "$out.log" || [ $? -ne 2 ] || { cat "$out.log" >&2; exit 2; }
            if [ -n "$against" ]; then
                other=${out%.jsonl}.other
                "$against" "$@" > "$other" 2> "$other.log" || [ $? -ne 2 ] || { cat "$other.log" >&2; exit 2; }
                printf '%s\n' "$project" "$cc -O$level" "$other" "$out" >> "$work/compared"
            fi
            row "$project" "$cc -O$level" "$out"
            files="$files $out"
        done
        for one in $crate; do
            name=$(printf '%s' "$one" | tr '/=' '__')
            out=$reports/$name-$cc-O$level.jsonl
            set -- prove --json --timeout "$timeout" --seed "$seed"
            [ -z "$sample" ] || set -- "$@" --sample "$sample"
            [ -z "$jobs" ] || set -- "$@" --jobs "$jobs"
            (cd "$work/$cc/$one/O$level" && "$plumb" "$@" ./*.mir) > "$out" 2> "$out.log" ||
                [ $? -ne 2 ] || { cat "$out.log" >&2; exit 2; }
            row "$one" "$cc -O$level" "$out"
            files="$files $out"
        done
        set -- $files
        [ $# -le 1 ] || row all "$cc -O$level" "$@"
        [ -z "$rank" ] || ranking "$rank" "$@" >> "$work/ranking"
    done
done
[ ! -s "$work/ranking" ] || cat "$work/ranking"
[ -z "$against" ] || python3 "$here/benches/prove-ratio.py" "$work/compared" "$0 --levels '$levels' --projects '$projects'"

# What is recorded of crates: reach, functions out of time and the mean, by level.
[ -z "$crate" ] || [ "${RECORD:-}" != 1 ] || python3 - "$here/benches/record.py" "$reports" "$crate" "$ccs" "$levels" "$0 --crate '$crate' --cc '$cc' --levels '$levels' --sample ${sample:-all} --seed $seed --timeout $timeout${words:+ --words '$words'}" "$words" <<'PY'
import glob, json, subprocess, sys
record, reports, crates, ccs, levels, command, words = sys.argv[1:]
parts = []
for cc in ccs.split():
    for level in levels.split():
        functions = []
        for crate in crates.split():
            path = f"{reports}/{crate.translate(str.maketrans('/=', '__'))}-{cc}-O{level}.jsonl"
            functions += [f for f in map(json.loads, open(path)) if f.get("type") == "function"]
        good = sum(f["verdict"] in ("proved", "conditional") for f in functions)
        refuted = sum(f["verdict"] == "refuted" for f in functions)
        late = sum(f.get("ended") == "time" for f in functions)
        mean = sum(f.get("ms", 0) for f in functions) / max(1, len(functions)) / 1e3
        parts.append(f"{cc} -O{level}: {good} of {len(functions)} ({100 * good / max(1, len(functions)):.1f} %), "
                     f"{refuted} refuted, {late} out of time, mean {mean:.2f} s")
others = [cc for cc in ccs.split() if cc != "clang-19"] + [word.strip("-").replace("=", "-") for word in words.split()]
subprocess.run([sys.executable, record, "-".join(["prove-unseen", *others]), "Proving", f"selection on crates that nothing was tuned to ({crates})",
                command.replace(command.split()[0], "benches/prove.sh", 1), "≥ 98 % at -O0, ≥ 95 % at -O2", "; ".join(parts)], check=True)
PY
