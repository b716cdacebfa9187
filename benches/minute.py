#!/usr/bin/env python3
"""A minute of hunting a compiler, then triage: is each distinct bug reduced, grouped and reported without a hand?

    benches/minute.py --cc tcc [--levels=-O0,-O1] [--time 60m] [--plumb PATH] [--store DIR]

Runs `plumb hunt --no-gnu --for 60s`, `plumb triage` (for --time at most) and `plumb report` of each bug. Printed: alarms, bugs,
how many findings triage did not come to, and of each bug its alarms, lines and what it is known by. Fails if a bug has no report
or a report names a path of this machine. A kept --store that was hunted already is only triaged.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*words):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def lines(done):
    if done.returncode not in (0, 1, 5):
        sys.exit(f"{' '.join(map(str, done.args[:3]))}: exit {done.returncode}: {done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--cc", required=True)
    parse.add_argument("--levels")
    parse.add_argument("--time", default="60m")
    parse.add_argument("--plumb", default=ROOT / "target/release/plumb")
    parse.add_argument("--store")
    args = parse.parse_args()
    store = pathlib.Path(args.store or pathlib.Path(tempfile.mkdtemp()) / "store")
    levels = [f"--levels={args.levels}"] if args.levels else []
    if not store.exists():
        lines(run(args.plumb, "hunt", "--json", "--cc", args.cc, "--no-gnu", *levels, "--for", "60s", "--store", store))
    begun = time.monotonic()
    triaged = lines(run(args.plumb, "triage", "--json", "--jobs", 1, "--for", args.time, "--store", store))
    minutes = (time.monotonic() - begun) / 60
    used = os.times()
    summary = triaged.pop()
    leads = [line for line in triaged if line["finding"] == line["group"]]
    bugs, failed = [], 0
    for lead in leads:
        out = store / "reports" / lead["finding"]
        done = run(args.plumb, "report", lead["finding"], "-o", out, "--store", store)
        texts = [path.read_text(errors="replace") for path in out.iterdir()] if out.is_dir() else []
        private = [text for text in texts if str(store) in text or str(ROOT) in text]
        if done.returncode != 1 or not texts or private:
            print(f"{lead['finding']}: {'names a path' if private else 'no report: ' + done.stderr}", file=sys.stderr)
            failed += 1
        size = lead["reduced"]["lines"] if lead["reduced"] else None
        bugs.append(f"{lead['members']} alarms, {f'{size} lines' if size else 'not reduced'}: {lead['signature']}")
    for bug in bugs:
        print(bug)
    programs = lines(run(args.plumb, "findings", "--json", "--store", store))
    alarms = sum(line["type"] == "finding" for line in programs)
    sizes = [str(lead["reduced"]["lines"]) if lead["reduced"] else "not reduced" for lead in leads]
    figure = (f"{alarms} alarms: {len(leads)} bugs ({', '.join(str(lead['members']) for lead in leads)} alarms) of {', '.join(sizes)} "
              f"lines, {len(leads) - failed} reported; {summary['left'] + summary['unsettled']} findings left; {minutes:.1f} min of triage on one "
              f"thread, {used.children_user + used.children_system:.0f} s of CPU time with the hunt")
    print(figure)
    if os.environ.get("RECORD") == "1":
        name = re.sub(r"\W+", "-", args.cc)
        command = f"benches/minute.py --cc {args.cc}" + (f" --levels={args.levels}" if args.levels else "")
        run(ROOT / "benches/record.py", f"triage-minute-{name}", "Reduction",
            f"a minute of {args.cc}: each distinct bug reduced, grouped and reported without a hand", command,
            "every distinct bug, at most 15 lines each", figure)
    sys.exit(1 if failed else 0)


main()
