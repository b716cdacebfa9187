#!/usr/bin/env python3
"""Planted bugs, one in each of twenty passes: are they blamed on their pass, and found together and apart?

    benches/triage.py [--findings N] [--bugs N] [--store DIR] [--plumb PATH] [--cc COMMAND] [--plain] [--time TIME]

For each pair of a pass and a fault of tests/hunt/faults.tsv, a compiler that has the fault while the pass runs
(tests/hunt/faulty-pass) is hunted until it has its part of the findings. Then `plumb triage --quick` blames and groups all of
them, unreduced. Counted: findings blamed on their pass; pairs of findings in one group that have the same planted
bug (precision), and pairs with the same bug that are in one group (recall); bugs among the first N groups shown. A fault
that no program shows is named. The faults of the table below are in instructions that are there whichever other pass is left
out (of 16 programs at most a twentieth of the time they are not), of clang whichever passes behind are (of 8 programs always): else
a bug would have two culprits. A kept --store goes on where it stopped.

With --plain the compiler names itself as one without passes and has its fault at -O1 always: findings are told apart by detours
and by reduced programs, so they are reduced. --time bounds the triage (90m; two cores take an
hour for 200 findings of GCC). Where it leaves some, that is said, and what else each may be is not asked yet.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GCC = {
    "rtl-combine": "negation-32", "rtl-cse1": "sign-spread", "rtl-ree": "shift-by-32", "rtl-sched2": "scaled-address-4",
    "rtl-fwprop1": "set-above", "rtl-ce1": "set-below-equal", "rtl-bbro": "float-sum", "rtl-postreload": "byte-sign-long",
    "tree-pre": "multiply-constant", "tree-fre3": "complement", "tree-dse2": "store-long-zero", "tree-dom2": "jump-above",
    "tree-reassoc1": "or-byte", "tree-sink1": "word-zero", "tree-phiopt2": "subtract-memory", "tree-ifcombine": "float-to-int",
    "tree-forwprop2": "scaled-address-8", "tree-ch2": "shift-8-bit", "ipa-inline": "unsigned-division", "tree-vrp1": "shift-left-odd",
}
LLVM = {
    "SROAPass": "int-sign-long", "EarlyCSEPass": "word-zero", "SimplifyCFGPass": "wide-constant", "InstCombinePass": "shift-by-32",
    "ReassociatePass": "float-to-int", "GVNPass": "byte-sign-long", "DSEPass": "unsigned-division", "LoopRotatePass": "float-sum",
    "JumpThreadingPass": "byte-swap", "LoopVectorizePass": "sign-spread", "SLPVectorizerPass": "shift-8-bit",
    "InstSimplifyPass": "store-byte", "LoopUnrollPass": "store-long-zero", "DivRemPairsPass": "test-bit",
    "X86 DAG->DAG Instruction Selection": "complement", "Machine Common Subexpression Elimination": "negation",
    "Peephole Optimizations": "shift-right-long", "Machine code sinking": "subtract-with-borrow",
    "Machine Copy Propagation Pass": "move-less", "Branch Probability Basic Block Placement": "word-sign",
}


def run(words, **more):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--findings", type=int, default=200)
    parse.add_argument("--bugs", type=int, default=20)
    parse.add_argument("--store")
    parse.add_argument("--plumb", default=ROOT / "target/release/plumb")
    parse.add_argument("--cc", default="gcc")
    parse.add_argument("--plain", action="store_true")
    parse.add_argument("--time", default="90m")
    args = parse.parse_args()
    os.environ["CANARY_CC"] = args.cc
    if args.plain:
        os.environ["CANARY_PLAIN"] = "1"
    pairs = list((LLVM if "clang" in args.cc else GCC).items())[: args.bugs]
    store = args.store or tempfile.mkdtemp()
    each = -(-args.findings // len(pairs))
    small = ["--max-funcs", "4", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "6"]
    found = run([args.plumb, "findings", "--json", "--store", store]).stdout
    for bug, fault in pairs:
        if sum(f" {fault} " in line for line in found.splitlines()) >= each:
            continue
        cc = f"{ROOT}/tests/hunt/faulty-gcc {fault}" if args.plain else f"{ROOT}/tests/hunt/faulty-pass {json.dumps(bug)} {fault}"
        words = [args.plumb, "hunt", "--cc", cc, "--levels", "-O1" if args.plain else "-O2", "--alarms", each, "--programs", 600, "--store", store, *small]
        done = run(words)
        print(bug, fault, done.stdout.strip().splitlines()[-2:], file=sys.stderr)
        if done.returncode not in (0, 1, 5):
            sys.exit(f"{bug}: exit {done.returncode}: {done.stderr}")
    how = ["--jobs", "1"] if args.plain else ["--quick"]
    done = run([args.plumb, "triage", *how, "--for", args.time, "--json", "--store", store])
    print(done.stderr[-2000:], file=sys.stderr)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    configuration = {
        line["id"]: line["configuration"]
        for line in map(json.loads, run([args.plumb, "findings", "--json", "--store", store]).stdout.splitlines())
        if line["type"] == "finding"
    }
    faults = {fault: bug for bug, fault in pairs}
    planted = {}
    for line in lines:
        if line["type"] == "triage":
            fault = next(word for word in configuration[line["finding"]].split() if word in faults)
            planted[line["finding"]] = faults[fault]
    rows = [line for line in lines if line["type"] == "triage"]
    right, blamed = 0, collections.Counter()
    for row in rows:
        found = (row["culprit"] or {}).get("pass")
        kind = {"gimple": "tree-", "ipa": "ipa-", "rtl": "rtl-"}.get(found["kind"], "") if found else ""
        name = kind + found["name"] if found else "nothing"
        stem = lambda text: text.rstrip("0123456789")
        if stem(name) == stem(planted[row["finding"]]):
            right += 1
        else:
            blamed[(planted[row["finding"]], name)] += 1
    for (bug, name), count in blamed.most_common():
        print(f"{count}: {bug} blamed on {name}", file=sys.stderr)
    together = same = both = 0
    for a, b in itertools.combinations(rows, 2):
        grouped, alike = a["group"] == b["group"], planted[a["finding"]] == planted[b["finding"]]
        together, same, both = together + grouped, same + alike, both + (grouped and alike)
    leads = [row for row in rows if row["finding"] == row["group"]]
    first = {planted[row["finding"]] for row in leads[:25]}
    bugs = set(planted.values())
    left = len(configuration) - len(rows)
    missing = [bug for bug, _ in pairs if not left and bug not in bugs]
    summary = next((line for line in lines if line["type"] == "summary"), {})
    blame = f"blamed on their pass {right} ({100 * right / max(1, len(rows)):.1f} %)"
    if args.plain:
        blame = f"{sum(row['reduced'] is not None for row in rows)} reduced, {summary.get('unsettled', 0)} left after {args.time}"
    figure = (
        f"{args.cc}: {len(rows)} findings of {len(bugs)} planted bugs in {len(leads)} groups, {summary.get('undecided', 0)} of which may be any of several: "
        f"{blame}, pairwise "
        f"precision {100 * both / max(1, together):.1f} %, recall "
        f"{100 * both / max(1, same):.1f} %; the first 25 groups hold {len(first)} of {len(bugs)}"
    )
    if left:
        figure += f"; {left} findings left after {args.time}"
    print(figure)
    if missing:
        print("never shown:", ", ".join(missing))
    if os.environ.get("RECORD") == "1":
        name = "triage-" + ("plain" if args.plain else "clang" if "clang" in args.cc else "gcc")
        claim = "planted bugs, one in each of so many passes, are blamed on their pass and grouped"
        reach = "right pass >= 90 %; precision >= 95 %; all among the first 25"
        if args.plain:
            claim = "planted bugs of a compiler without passes are grouped"
            reach = "precision >= 95 %; all among the first 25"
        command = f"benches/triage.py --cc {args.cc} --findings {args.findings} --bugs {args.bugs}" + " --plain" * args.plain
        run([ROOT / "benches/record.py", name, "Reduction", claim, command, reach, figure], check=True)


main()
