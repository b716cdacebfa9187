#!/bin/sh
# Compares where instructions begin, and their mnemonics, with objdump's reading of the same objects.
#
#   benches/decoders.sh [--listing FILE] [--objdump COMMAND] OBJECT...
#
# LISTING is the example of crates/crossver (cargo build --release -p plumb-crossver --example listing). Prints, over all
# objects: instructions that objdump and we begin at the same address, at which only one begins, and that our decoder
# does not know.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
listing=$here/../target/release/examples/listing objdump=objdump
while [ $# -gt 0 ]; do
    case $1 in
        --listing) listing=$2; shift 2 ;;
        --objdump) objdump=$2; shift 2 ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
python3 - "$listing" "$objdump" "$@" <<'PY'
import collections, re, subprocess, sys
listing, objdump, files = sys.argv[1], sys.argv[2], sys.argv[3:]
same = ours_alone = theirs_alone = unknown = 0
odd = collections.Counter()
for file in files:
    done = subprocess.run([listing, file], capture_output=True, text=True)
    if done.returncode:
        continue  # no functions
    ours, spans, missing = {}, collections.defaultdict(list), set()
    for line in done.stdout.splitlines():
        section, function, at, length, rest = line.split(" ", 4)
        ours[section, int(at, 16)] = rest
        if rest.startswith("?"):
            missing.add((section, int(at, 16)))
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", "-w", file], capture_output=True, text=True).stdout
    theirs, section = {}, None
    for line in text.splitlines():
        m = re.match(r"Disassembly of section (.*):", line)
        if m:
            section = m.group(1)
        m = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
        if m and not m.group(2).startswith("."):
            theirs[section, int(m.group(1), 16)] = m.group(2)
    covered = collections.defaultdict(set)
    for (section, at) in ours:
        covered[section].add(at)
    bounds = {s: (min(a), max(a)) for s, a in covered.items()}
    for key, mnemonic in theirs.items():
        low, high = bounds.get(key[0], (1, 0))
        if key in ours:
            same += 1
            if key in missing:
                odd[mnemonic] += 1
        elif low <= key[1] <= high and mnemonic not in ("nop", "nopw", "nopl", "xchg", "data16", "cs", "lea", "udf"):
            theirs_alone += 1
            odd["theirs " + mnemonic] += 1
    ours_alone += sum(1 for key in ours if key not in theirs)
    unknown += len(missing)
total = max(same, 1)
print(f"{same} instructions begin alike, {theirs_alone} only with objdump, {ours_alone} only with us, "
      f"{unknown} unknown ({100 * unknown / total:.4f} %)")
if odd:
    print(" ".join(f"{name} {n}" for name, n in odd.most_common(30)))
PY
