"""Compares two versions of the prover on the same functions, for `benches/prove.sh --against`: CPU time and proofs.

usage: prove-ratio.py LIST COMMAND

LIST has four lines for each project: its name, the compiler, the JSON lines of the other version, those of this one.
Times are the CPU times of functions that both report, so that load beside them matters little.
"""
import json, os, pathlib, subprocess, sys

lines = pathlib.Path(sys.argv[1]).read_text().splitlines()


def functions(path):
    out = {}
    for line in open(path):
        entry = json.loads(line)
        if entry.get("type") == "function":
            out[pathlib.Path(entry.get("file", "")).name, entry["function"]] = entry
    return out


proved = lambda entries: sum(e["verdict"] in ("proved", "conditional") for e in entries)
seconds = lambda entries: sum(e.get("ms", 0) for e in entries) / 1e3
rows, figures = [], []
for name, compiler, other, this in zip(*[iter(lines)] * 4):
    a, b = functions(other), functions(this)
    both = [key for key in a if key in b]
    a, b = [a[key] for key in both], [b[key] for key in both]
    rows.append((name, compiler, len(both), proved(a), proved(b), seconds(a), seconds(b)))
columns = "Project", "Compiler", "Functions", "Proved before", "Proved now", "CPU before", "CPU now", "Ratio"
print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
for name, compiler, n, was, now, before, after in rows:
    ratio = after / before if before else 1
    print(f"| {name} | {compiler} | {n} | {was} | {now} | {before:.1f} s | {after:.1f} s | {ratio:.2f} |")
    figures.append(f"{name} {compiler.split()[-1]} {ratio:.2f} ({was} / {now} proved)")
if os.environ.get("RECORD") == "1":
    subprocess.run([
        sys.executable, pathlib.Path(__file__).parent / "record.py", "prove-ratio", "Proving",
        "CPU time of the counted budgets over that of the timed ones before, same functions in one run",
        sys.argv[2], "≤ 1.1, no fewer proved", "; ".join(figures), "",
    ], check=True)
