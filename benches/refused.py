#!/usr/bin/env python3
"""The share of programs and variants that hunts lose: refused by a compiler, rejected by the machine, or inconclusive.

    benches/refused.py [--cc COMMAND]... [--inside PREFIX COMMAND]... [--programs N] [--from SOURCE] [--plumb FILE]
                                                                          RECORD=1 writes a figure

One hunt a compiler, at -O0, with variants by all strategies. `--inside` runs plumb itself behind the words of PREFIX, as
the compilers of newer systems need whose programs only run there (`chroot DIR`, say). An alarm is no lost program. Fails
where a compiler loses 1 % or more.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REACH = 1.0


def hunt(prefix, cc, a):
    """The summary of a hunt of one compiler."""
    store = tempfile.mkdtemp(prefix="refused-")
    words = [*prefix, str(a.plumb), "hunt", "--json", "--jobs", "1", "--store", store, "--cc", cc, "--from", a.source]
    words += ["--levels=-O0", "--drawn", "0", "--strategy", "all", "--variants", "1", "--programs", str(a.programs)]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 4, 5):
            raise SystemExit(f"{cc}: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout.strip().splitlines()[-1])
    finally:
        shutil.rmtree(store, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--inside", action="append", nargs=2, metavar=("PREFIX", "COMMAND"), default=[])
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--from", dest="source", default="builtin")
    parser.add_argument("--plumb", type=pathlib.Path, default=ROOT / "target/release/plumb")
    a = parser.parse_args()
    a.plumb = a.plumb.resolve()
    jobs = [([], cc) for cc in a.cc] + [(shlex.split(prefix), cc) for prefix, cc in a.inside]
    if not jobs:
        parser.error("no compilers")
    rows, bad, total = [], [], 0
    for prefix, cc in jobs:
        summary = hunt(prefix, cc, a)
        why = collections.Counter(summary["rejected"]) + collections.Counter(summary["inconclusive"])
        lost, programs = sum(why.values()), summary["programs"]
        share, total = 100 * lost / programs, total + programs
        name = cc.split()[-1]
        print(f"{name}: {lost} of {programs} ({share:.1f} %)", flush=True)
        for reason, count in why.most_common():
            print(f"  {count} {reason}")
        rows.append(f"{name} {lost}")
        if share >= REACH:
            bad.append(name)
    figure = f"lost of {a.programs} each: {', '.join(rows)}"
    print(figure)
    if os.environ.get("RECORD") == "1":
        compilers = " ".join(f"--cc {cc.split()[-1]}" for _, cc in jobs)
        what = "" if a.source == "builtin" else f" of {a.source}"
        area = f"hunt-refused{'' if a.source == 'builtin' else '-' + a.source}"
        subprocess.run([str(ROOT / "benches/record.py"), area, "Hunting",
                        f"programs{what} and variants that are refused, rejected or inconclusive, {len(jobs)} compilers",
                        f"benches/refused.py {compilers} --programs {a.programs}", "< 1 % of any compiler", figure, ""],
                       check=True)
    if bad:
        raise SystemExit(f"1 % or more: {', '.join(bad)}")


if __name__ == "__main__":
    main()
