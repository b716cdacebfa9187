"""Compares the reports of benches/deterministic.sh: DIR PROJECT...

Times and memory are taken out; the rest of each function's line has to be the same in all four runs."""

import json
import sys

RUNS = ["idle-1", "busy-1", "busy-2", "idle-2"]
# Figures of a run, not of the input.
MEASURED = {"ms", "solver_ms", "peak_memory", "seconds", "native"}


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in MEASURED}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def functions(path):
    out = {}
    for line in open(path):
        entry = json.loads(line)
        if entry.get("type") == "function":
            out[entry["place"], entry["function"]] = entry
    return out


def late(entry):
    return entry.get("ended") == "time"


directory, projects = sys.argv[1], sys.argv[2:]
differ = 0
for project in projects:
    runs = [functions(f"{directory}/{project}-{run}.jsonl") for run in RUNS]
    ended = set()
    for name in sorted(set().union(*runs)):
        entries = [run.get(name) for run in runs]
        if any(e is not None and late(e) for e in entries):
            ended.add(name[1])
            continue
        texts = {json.dumps(plain(e), sort_keys=True) for e in entries}
        if len(texts) > 1:
            differ += 1
            verdicts = ", ".join(f"{r}: {e['verdict'] if e else 'none'}" for r, e in zip(RUNS, entries))
            print(f"{project}: {name[1]} differs ({verdicts})")
    times = " ".join(f"{r} {sum(e.get('ms', 0) for e in run.values()) / 1e3:.1f} s" for r, run in zip(RUNS, runs))
    print(f"{project}: {len(runs[0])} functions, {len(ended)} out of time {sorted(ended)}; {times}")
print("the same but for times and memory" if differ == 0 else f"{differ} functions differ")
sys.exit(differ > 0)
