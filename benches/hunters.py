#!/usr/bin/env python3
"""Real bugs per CPU hour: programs of plumb, of csmith and of YARPGen 2 in the same hunt, with the same compilers, drawn
options and CPU time.

    benches/hunters.py --cc COMMAND... [--seconds S] [--levels L] [--drawn P] [--variants] [--triage]
                       [--yarpgen FILE] [--seed N] [--plumb FILE]                            RECORD=1 writes a figure

Each source has S seconds of CPU time: that of plumb, of the compilers and of the programs, and of the generator where that is
another process. FILE is YARPGen's executable (github intel/yarpgen, built by cmake); its programs are written in
batches, a directory each. With --stores the same command goes on where it was stopped. With --variants there is a row of plumb's programs with variants of them. With --triage
alarms are grouped by culprit, which is what a bug is here; its CPU time is not counted. Without it alarms are counted, and
nothing is recorded. A source that shows nothing has found nothing: the row says in how many programs.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 25


def children():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


class Row:
    """One source: what it spent and what it found."""

    def __init__(self, name, words, args, store):
        self.name, self.words, self.args, self.store = name, words, args, store
        self.spent, self.programs, self.rejected, self.alarms, self.seed = 0.0, 0, 0, 0, args.seed
        self.kept = pathlib.Path(f"{store}.json")
        if self.kept.exists():
            vars(self).update(json.loads(self.kept.read_text()))

    def keep(self):
        """Writes down how far this source is."""
        names = ("spent", "programs", "rejected", "alarms", "seed")
        self.kept.write_text(json.dumps({name: getattr(self, name) for name in names}))

    def hunt(self, extra, programs=None):
        """One campaign, taken up again until it ends or the CPU time is over. With a number of programs it is one of
        many; without, it is the only one, and what its summary says is all of it, also where it was begun earlier."""
        a, begun, summary = self.args, self.spent if programs else 0, None
        words = [str(a.plumb), "hunt", "--json", "--jobs", "1", "--store", self.store, "--levels", a.levels]
        words += ["--drawn", str(a.drawn), *[w for cc in a.cc for w in ("--cc", cc)], *extra]
        idle = 0
        while idle < 5:
            left = max(10, round(a.seconds - self.spent))
            done = subprocess.run([*words, "--for", f"{left}s"], stdin=subprocess.DEVNULL, capture_output=True)
            if done.returncode not in (0, 1, 4, 5):
                raise SystemExit(f"{self.name}: exit {done.returncode}: {done.stderr.decode()}")
            before = summary["programs"] if summary else -1
            summary = json.loads(done.stdout.decode().strip().splitlines()[-1])
            self.spent = begun + summary["compilers_cpu_seconds"] + summary["plumb_cpu_seconds"]
            if not summary["programs"]:
                raise SystemExit(f"{self.name}: no program came through: {summary['rejected']}")
            idle = idle + 1 if summary["programs"] == before else 0
            if self.spent >= a.seconds or programs and summary["programs"] >= programs:
                break
        if not programs:
            self.programs = self.rejected = self.alarms = 0
        self.programs += summary["programs"]
        self.rejected += sum(summary["rejected"].values())
        self.alarms += sum(summary["alarms"].values())

    def found(self):
        """How many bugs, or alarms where these are not grouped."""
        if self.args.triage and self.alarms:
            words = [str(self.args.plumb), "triage", "--json", "--store", self.store]
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
            lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
            groups = {line["group"] for line in lines if line.get("group") is not None}
            if not groups:
                raise SystemExit(f"{self.name}: triage said nothing: {done.stderr.decode()}")
            return len(groups)
        return self.alarms


def yarpgen(row, binary):
    """Batches of YARPGen's programs until the CPU time is over."""
    while row.spent < row.args.seconds:
        with tempfile.TemporaryDirectory() as work:
            before = children()
            for number in range(row.seed, row.seed + BATCH):
                directory = pathlib.Path(work) / f"{number:06}"
                directory.mkdir()
                subprocess.run([str(binary), f"--seed={number}", "--std=c", f"--out-dir={directory}"], check=True,
                               stdout=subprocess.DEVNULL)
            row.spent += children() - before
            row.hunt(["--from", work], BATCH)
            row.seed += BATCH
            row.keep()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cc", action="append", required=True)
    ap.add_argument("--seconds", type=float, default=3600, help="CPU time of each source")
    ap.add_argument("--levels", default="-O0,-O1,-O2,-O3,-Os")
    ap.add_argument("--drawn", type=int, default=50)
    ap.add_argument("--variants", action="store_true")
    ap.add_argument("--triage", action="store_true")
    ap.add_argument("--yarpgen", type=pathlib.Path)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--stores", type=pathlib.Path, help="where the stores stay; without it they go with the run")
    ap.add_argument("--plumb", type=pathlib.Path, help="this executable and not a new build")
    a = ap.parse_args()
    if os.environ.get("RECORD") == "1" and not a.triage:
        raise SystemExit("RECORD=1 needs --triage: alarms are no bugs")
    if not a.plumb:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
        a.plumb = ROOT / "target/release/plumb"
    sources = {"plumb": ["--seed", str(a.seed)], "csmith": ["--from", "csmith", "--seed", str(a.seed)]}
    if a.variants:
        sources["plumb with variants"] = ["--seed", str(a.seed), "--strategy", "all"]
    if a.yarpgen:
        sources["YARPGen 2"] = None
    said, rows = [], []
    with tempfile.TemporaryDirectory() as temporary:
        for name, words in sources.items():
            store = (a.stores or pathlib.Path(temporary)) / name.replace(" ", "-")
            row = Row(name, words, a, str(store))
            if words is None:
                yarpgen(row, a.yarpgen.resolve())
            elif row.spent < a.seconds:
                before = children()
                row.hunt(words)
                # csmith's processes are plumb's children, and in no count of a hunt.
                if name == "csmith":
                    row.spent = max(row.spent, children() - before)
                row.keep()
            rows.append(row)
        # Grouping takes long and is not counted: what is left of it when the command is stopped is done the next time.
        for row in rows:
            bugs = row.found()
            rate = bugs / (row.spent / 3600)
            what = "bugs" if a.triage else "alarms"
            said.append(f"{row.name} {bugs} {what} in {row.spent:.0f} CPU s, {row.programs} programs ({row.rejected} rejected)")
            print(f"{said[-1]}, {row.alarms} alarms, {rate:.1f} {what} an hour", flush=True)
    if os.environ.get("RECORD") == "1":
        command = f"benches/hunters.py {' '.join(f'--cc {cc!r}' for cc in a.cc)} --seconds {a.seconds:.0f}"
        subprocess.run([str(ROOT / "benches/record.py"), "hunt-hunters", "Hunting",
                        f"real bugs with drawn options, {a.seconds:.0f} CPU seconds each", command,
                        "≥ 3 × the better of the peers", said[0] + ("; " + said[2] if a.variants else ""),
                        "; ".join(line for line in said if not line.startswith("plumb"))], check=True)


if __name__ == "__main__":
    main()
