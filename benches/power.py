#!/usr/bin/env python3
"""Planted faults found per CPU hour: plumb's generator, the same with variants, and csmith, in the same hunt.

    benches/power.py [--seconds S] [--every N] [--strategy NAMES]

Every fault of tests/hunt/faults.tsv (one gcc -O2 each, with the fault planted in its assembly) is hunted for S seconds
of CPU time or until the first alarm, with programs of each source. CPU time is that of plumb, the compilers and the
compiled programs, as the hunt counts it, and for csmith its mean time for a program, measured here, beside it: what else
the machine does lengthens the hunts and changes nothing else. A fault that no source shows is named, so that it can be
looked at.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLUMB = ROOT / "target/release/plumb"


def hunt(fault, options, seconds):
    """Alarms, CPU seconds and programs of one hunt; resumed until it has had its CPU time."""
    with tempfile.TemporaryDirectory() as store:
        words = [PLUMB, "hunt", "--json", "--cc", f"{ROOT}/tests/hunt/faulty-gcc {fault}", "--levels", "-O2", "--alarms", "1"]
        words += ["--jobs", "1", "--store", store, "--compile-time", "10s", "--run-time", "2s", *options]
        spent, idle = 0.0, 0
        while True:
            # A window too short for one program on a busy machine tells nothing.
            left = max(5, round(seconds - spent))
            with tempfile.TemporaryFile() as out:
                done = subprocess.run([*words, "--for", f"{left}s"], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
                out.seek(0)
                lines = out.read().decode().strip().splitlines()
            if done.returncode not in (0, 1):
                raise SystemExit(f"{fault} {options}: exit {done.returncode}: {done.stderr.decode()}")
            summary = json.loads(lines[-1])
            before, spent = spent, summary["compilers_cpu_seconds"] + summary["plumb_cpu_seconds"]
            idle = idle + 1 if spent == before else 0
            if summary["alarms"] or spent >= seconds or idle == 5:
                return summary["alarms"], spent, summary["programs"]


def csmith_seconds(programs=20):
    """Mean CPU seconds of csmith for a program."""
    with tempfile.TemporaryDirectory() as work:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for seed in range(1, programs + 1):
            words = ["csmith", "--seed", str(seed)]
            subprocess.run(words, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / programs


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seconds", type=float, default=20, help="CPU time of each hunt")
    ap.add_argument("--every", type=int, default=1, help="take every N-th fault only")
    ap.add_argument("--strategy", help="also hunt with variants by these strategies")
    a = ap.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
    table = (ROOT / "tests/hunt/faults.tsv").read_text().splitlines()
    faults = [line.split("\t")[0] for line in table if not line.startswith("#")][:: a.every]
    sources = {"plumb": [], "csmith": ["--from", "csmith"]}
    if a.strategy:
        sources["plumb with variants"] = ["--strategy", a.strategy]
    found = {name: set() for name in sources}
    cpu = dict.fromkeys(sources, 0.0)
    programs = dict.fromkeys(sources, 0)
    each = csmith_seconds()
    print(f"csmith: {each:.2f} s a program", flush=True)
    for fault in faults:
        said = []
        for name, options in sources.items():
            alarms, spent, tested = hunt(fault, options, a.seconds)
            spent += tested * each if name == "csmith" else 0
            cpu[name] += spent
            programs[name] += tested
            if alarms:
                found[name].add(fault)
            said.append(f"{name} {'found' if alarms else 'no'} {spent:.1f} s")
        print(f"{fault:22} {'; '.join(said)}", flush=True)
    rate = {name: len(found[name]) / (cpu[name] / 3600) for name in sources}
    for name in sources:
        times = rate[name] / rate["csmith"] if rate["csmith"] else float("inf")
        print(f"{name:20} {len(found[name])} of {len(faults)} in {cpu[name]:.0f} CPU s over {programs[name]} programs: "
              f"{rate[name]:.0f} an hour, {times:.1f} x csmith")
    print("by no source:", " ".join(f for f in faults if not any(f in s for s in found.values())) or "none")


main()
