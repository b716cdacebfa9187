#!/usr/bin/env python3
"""Runs gcc's own run tests (gcc.dg, c-c++-common) on the machine and under gcc -O0 and prints where they part.

    benches/gcc-dg.py DIR [--every N]

DIR holds the directories gcc.dg and c-c++-common of gcc/testsuite (Debian: package gcc-12-source). Files whose
directives ask for options that change the language, for threads, plugins or several sources are left out and counted.
Fails if a program that the machine calls defined ends otherwise than under gcc and is not in
tests/machine/gcc-dg-reasons.txt, or if the machine panics.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

from torture import ROOT, bounded

TABLE = ROOT / "tests/machine/gcc-dg-reasons.txt"
PLUMB = ROOT / "target/release/plumb"
SKIP = re.compile(r"/(vmx|gomp|goacc|asan|tsan|ubsan|hwasan|tm|cpp|lto|dfp|rtl|gimplefe|plugin|pch)/|gimplefe|rtl")
LEFT_OUT = re.compile(r"dg-additional-sources|-fopenmp|-fgnu-tm|-fplan9|-fms-ext|-fwrapv|-ftrapv|-fshort-enums|-funsigned|-fpack"
                      r"|-fno-strict-aliasing|-fexceptions|-fnon-call|-fgimple|pthread|__RTL|-mms-")


def program(path, work):
    """The class of one file and what is to be said about it."""
    text = path.read_text("latin-1")
    if LEFT_OUT.search(text):
        return "left out", ""
    options = re.search(r'dg-options\s+"([^"]*)"', text)
    words = [w for w in (options[1].split() if options else []) if re.match(r"-(D|U|std)", w)]
    binary = work / "program"
    made = bounded(["gcc", "-O0", "-w", *words, path.name, "-o", str(binary), "-lm"], 60, path.parent)
    if made is None or made[0] != 0:
        return "refused by gcc", ""
    ran = bounded([str(binary)], 10, work)
    gcc = "time" if ran is None else f"signal {-ran[0]}" if ran[0] < 0 else f"code {ran[0]}"
    words = [str(PLUMB), "run", "--json", "--max-steps", "200000000", *words, path.name]
    told = bounded(words, 120, path.parent)
    if told is None:
        return "out of budget", ""
    status, out = told
    if status == 2:
        return "not read", ""
    try:
        answer = json.loads(out)
    except ValueError:
        return "panic", f"exit status {status}"
    verdict = answer["verdict"]
    if verdict == "undefined":
        return verdict, answer["ub"]["name"]
    if verdict != "defined":
        return verdict, json.dumps(answer.get("unsupported") or answer.get("exhausted"))
    if answer["address_dependent"] or answer["order_dependent"]:
        return "unspecified", ""
    machine = f"signal {answer['signal']}" if answer["signal"] else f"code {answer['exit']}"
    same = ran is not None and machine == gcc and answer["stdout"] == ran[1].decode("utf-8", "replace")
    return ("agree", "") if same else ("disagree", f"machine {machine}, gcc {gcc}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir", type=pathlib.Path)
    ap.add_argument("--every", type=int, default=1, help="take every N-th file only")
    a = ap.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
    known = {line.split("|")[0].strip() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")}
    files = [p for d in ("gcc.dg", "c-c++-common") for p in sorted((a.dir / d).rglob("*.c"))]
    files = [p for p in files if re.search(r"dg-do\s+run", p.read_text("latin-1")) and not SKIP.search(str(p))]
    if not files:
        raise SystemExit(f"{a.dir}: no run tests; give the testsuite folder of gcc's sources")
    counts = collections.Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as work:
        for path in files[:: a.every]:
            name = str(path.relative_to(a.dir))
            kind, why = program(path, pathlib.Path(work))
            counts[kind] += 1
            if kind in ("disagree", "panic"):
                print(f"{name}: {kind}: {why}{' (known)' if name in known else ''}", flush=True)
                if name not in known:
                    wrong.append(name)
    print(", ".join(f"{n} {kind}" for kind, n in counts.most_common()))
    if wrong:
        raise SystemExit(f"{len(wrong)} without a reason in {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
