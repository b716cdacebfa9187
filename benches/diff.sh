#!/bin/sh
# Compares what versions of compilers make of C projects from crates, function by function.
#
#   benches/diff.sh [--old 'gcc-11 -O2'] [--new 'gcc-12 -O2'] [--projects 'lua bzip2'] [--sample N] [--timeout TIME]
#                   [--jobs N] [--work DIR] [--plumb FILE] [--opcodes N]
#
# Prints a line a project: pairs, identical, same blocks, proofs, conditional, unknown, unsupported, functions of one side
# alone, milliseconds of a proof, the share of instructions decoded, seconds; then shares over all projects, reasons of
# what stays open, the kinds of first differences, and the N instructions that occur most often in functions that stay
# open (the work list of the semantics). With --sample N one in N of the functions that only a proof can decide is tried,
# and counts for all N in the shares. The sources are copied beneath --work (default: a directory in /tmp), so that
# compilers in other root directories that share /tmp see them. RECORD=1 keeps the shares as a figure, RECORD=modelled the
# share of the instructions of what is compared that are modelled, and no uninterpreted functions.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/sources.sh"

old='gcc-11 -O2' new='gcc-12 -O2' work=/tmp/plumb-diff plumb=$here/../target/release/plumb opcodes=40
sample=1 timeout=10s jobs=2
projects='sqlite3 zlib lua bzip2 zstd lz4 libdeflate mimalloc tree-sitter secp256k1 webp pcre2'
options 13 'old new projects work plumb opcodes sample timeout jobs' "$@"

fetch_sources "$work" "$ALL_SOURCES"

# copied WORD...: the words with the sources of the registry replaced by copies beneath $work/sources.
registry=$(dirname "$(source_of bzip2-sys)")
copied() {
    while read -r word; do
        case $word in
            "$registry"/*|-I"$registry"/*)
                path=${word#-I}
                name=${path#"$registry"/}
                top=${name%%/*}
                [ -d "$work/sources/$top" ] || { mkdir -p "$work/sources"; cp -r "$registry/$top" "$work/sources/$top"; }
                case $word in -I*) echo "-I$work/sources/$name" ;; *) echo "$work/sources/$name" ;; esac
                ;;
            *) echo "$word" ;;
        esac
    done
}

cd "$work"
mkdir -p "$work/out"
for project in $projects; do
    begun=$(date +%s.%N)
    # The words hold no spaces.
    # shellcheck disable=SC2046
    "$plumb" diff --json --no-cache --opcodes --sample "$sample" --timeout "$timeout" --jobs "$jobs" --cc "$old" --cc "$new" $(words_of "$project" | copied) \
        > "$work/out/$project.jsonl" 2> "$work/out/$project.err" || true
    python3 - "$project" "$work/out/$project.jsonl" "$begun" <<'PY'
import json, sys, time
project, path, begun = sys.argv[1], sys.argv[2], float(sys.argv[3])
summary = {}
for line in open(path):
    record = json.loads(line)
    if record["type"] == "summary":
        summary = record
if not summary:
    sys.exit(f"{project}: no summary; see {path}")
v, h = summary["verdicts"], summary["how"]
all_, unknown = summary["instructions"], summary["instructions_unknown"]
print(f'{project:12} {summary["functions"]:6} pairs  identical {h.get("identical", 0):5}  same blocks '
      f'{h.get("same-blocks", 0):5}  by proof {h.get("proof", 0):5}  (conditional {v.get("conditional", 0):4})  unknown {v.get("unknown", 0):5}  '
      f'unsupported {v.get("unsupported", 0):3}  alone {summary["only_old"]}/{summary["only_new"]}  '
      f'{summary["mean_ms"]:.0f} ms a proof  not tried {summary["skipped"]}  objects {summary["objects"]["same"]} same {summary["objects"]["open"]} open  '
      f'decoded {100 * (1 - unknown / max(all_, 1)):.3f} %  files failed {summary["files_failed"]}  {time.time() - begun:.1f} s',
      flush=True)
PY
done
python3 - "$here" "$old" "$new" "$sample" "$timeout" "$opcodes" "$work"/out $projects <<'PY'
import collections, json, os, re, subprocess, sys
here, old, new, sample, timeout, most, out, *projects = sys.argv[1:]
opcodes, kinds, shares, reasons, not_modelled = (collections.Counter() for _ in range(5))
proofs, milliseconds, compared, tried, instructions = 0, 0.0, 0, 0, 0
for project in projects:
    for line in open(f"{out}/{project}.jsonl"):
        record = json.loads(line)
        if record["type"] == "summary":
            opcodes.update(record.get("opcodes", {}))
            not_modelled.update(record.get("not_modelled", {}))
            instructions += record["instructions"]
            kinds.update(record.get("differences", {}))
            compared += record["functions"] + record["skipped"]
            tried += record["functions"]
            proofs += record["proofs"]
            milliseconds += record["proofs"] * record["mean_ms"]
        elif record["type"] == "function":
            cheap = record["how"] in ("identical", "same-blocks")
            weight = 1 if cheap else int(sample)
            key = record["how"] if cheap else record["verdict"] if record["how"] else record["why"] or record["verdict"]
            shares[key] += weight
            if not record["how"]:
                text = (record["text"] or "").split(": ", 1)[-1] if record["why"] else record["text"]
                text = "" if record["why"] == "difference-not-replayed" else text
                text = re.sub(r"call \S+|\(\S+\+0x\w+\)|\(from .*|\bat \S+|\d+", "_", text)
                reasons[f'{record["why"] or record["verdict"]}: {text[:100]}'] += 1
whole = max(sum(shares.values()), 1)
percent = ", ".join(f"{key} {100 * n / whole:.1f} %" for key, n in shares.most_common())
mean = milliseconds / max(proofs, 1)
print(f"{compared} pairs, {tried} compared; {percent}; {proofs} proofs, {mean:.0f} ms on average")
for reason, n in reasons.most_common(40):
    print(f"{n:6}  {reason}")
print("first differences:", ", ".join(f"{k} {n}" for k, n in kinds.most_common()))
total = sum(opcodes.values())
print(f"instructions of functions that stay open: {total}, {len(opcodes)} mnemonics")
print(" ".join(f"{name} {n}" for name, n in opcodes.most_common(int(most))))
left = sum(not_modelled.values())
modelled = f"{100 * (1 - left / max(instructions, 1)):.2f} % of {instructions:,} instructions"
often = ", ".join(f"{name} {n}" for name, n in not_modelled.most_common(6))
print(f"modelled: {modelled}; not: {often}")
command = f"benches/diff.sh --old '{old}' --new '{new}' --sample {sample} --timeout {timeout} --projects '{' '.join(projects)}'"
if os.environ.get("RECORD") == "modelled":
    name = "modelled-" + ("aarch64" if "aarch64" in old else "x86-64")
    claim = f"instructions of {len(projects)} C projects, {old} and {new}, that are modelled exactly"
    figure = f"{modelled}; most of the rest: {often}"[:240]
    subprocess.run([f"{here}/record.py", name, "Machine code", claim, command, ">= 99.5 %", figure], check=True)
if os.environ.get("RECORD") == "1":
    two_machines = "aarch64" in new and "aarch64" not in old
    short = lambda command: " ".join(w for w in command.split() if not w.startswith("-f")) if two_machines else command
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"diff-{short(old)}-{short(new)}").strip("-")
    claim = f"{short(old)} against {short(new)}: {compared} function pairs of {len(projects)} C projects"
    levels = "-O0" in old + new
    compilers = old.split("-")[0].split()[0] != new.split("-")[0].split()[0] and not two_machines
    reach = "different at most 5 %" if two_machines else "at most 10 %" if compilers else \
        "unknown at most 8 %" if levels else "unknown at most 2 %"
    figure = f"{percent}; {mean:.0f} ms a proof"[:240]
    subprocess.run([f"{here}/record.py", name, "Machine code", claim, command, reach, figure], check=True)
PY
