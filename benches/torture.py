#!/usr/bin/env python3
"""Runs gcc.c-torture/execute under the machine and under gcc -O0 and prints where they part.

    benches/torture.py DIR [--work DIR] [--jobs N]

DIR holds the top-level files of gcc/testsuite/gcc.c-torture/execute (Debian: package gcc-12-source). The gcc side is
kept in the work directory (default target/torture) and not made again. Fails if a file that does not simply agree
is missing from tests/machine/torture-reasons.txt, or is there with another verdict.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/machine/torture-reasons.txt"


def bounded(words, seconds, cwd=None):
    """Exit status and stdout; None if time ran out."""
    try:
        done = subprocess.run(words, cwd=cwd, timeout=seconds, stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None


def gcc_side(source, work):
    """What the program compiled by gcc -O0 does: "code N", "signal N", "refused" or "time"; and its text."""
    text, binary = work / (source.stem + ".i"), work / (source.stem + ".exe")
    flags = ["-std=gnu17", "-w"]
    made = bounded(["gcc", "-E", *flags, source.name, "-o", str(text)], 20, source.parent)
    built = bounded(["gcc", "-O0", *flags, source.name, "-o", str(binary), "-lm"], 60, source.parent)
    if made is None or built is None or built[0] != 0:
        return "refused", ""
    ran = bounded([str(binary)], 20, work)
    binary.unlink()
    if ran is None:
        return "time", ""
    status, out = ran
    word = f"signal {-status}" if status < 0 else f"code {status}"
    return word, out.decode("latin-1")


def machine_side(stem, runner, work):
    """The machine's verdict in the words of the table, the detail, and the program's output."""
    text = work / (stem + ".i")
    ran = bounded([str(runner), "-o", str(text)], 120)
    if ran is None:
        return "exhausted time", "", ""
    status, out = ran
    out = out.decode("latin-1")
    if status != 0:
        return "panic", f"exit status {status}", out
    *before, last = out.rstrip("\n").split(f"{text}: ")
    output = f"{text}: ".join(before)
    kind, _, rest = last.partition(" ")
    if kind == "DEFINED":
        found = re.match(r"(Code|Signal)\((\d+)\)", rest)
        return f"{found[1].lower()} {found[2]}", "", output
    if kind == "UNDEFINED":
        return "undefined " + rest.split()[0], rest, output
    if kind == "UNSUPPORTED":
        return "unsupported", rest, output
    if kind == "EXHAUSTED":
        return "exhausted " + rest.lower(), rest, output
    return "rejected", rest, output


def table():
    """file -> (verdict, judgement)"""
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, verdict, judgement, reason = (part.strip() for part in line.split("|", 3))
            if judgement not in ("true", "limit", "machine bug") or not reason:
                sys.exit(f"{TABLE}: bad line for {name}")
            rows[name] = (verdict, judgement)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target/torture")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.work = options.work.resolve()
    build = ["cargo", "build", "--release", "-q", "-p", "plumb-machine", "--example", "run"]
    subprocess.run(build, cwd=ROOT, check=True)
    runner = ROOT / "target/release/examples/run"
    sources = sorted(options.dir.resolve().glob("*.c"))
    if not sources:
        sys.exit(f"{options.dir}: no C files")
    kept = options.work / "gcc.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}

    def one(source):
        if source.stem not in known:
            known[source.stem] = gcc_side(source, options.work)
        if known[source.stem][0] in ("refused", "time"):
            return source.stem, known[source.stem], ("not asked", "", "")
        return source.stem, known[source.stem], machine_side(source.stem, runner, options.work)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(one, sources))
    kept.write_text(json.dumps(known))

    reasons, counts, complaints, details = table(), collections.Counter(), [], collections.Counter()
    judged = collections.Counter()
    for stem, (truth, expected), (verdict, detail, output) in results:
        if verdict == "not asked":
            counts[f"gcc: {truth}"] += 1
            continue
        ends = verdict.startswith(("code ", "signal "))
        if ends and verdict == truth and output == expected:
            counts["agree"] += 1
            if stem in reasons:
                complaints.append(f"{stem}: agrees now, its line in the table must go")
            continue
        word = "disagree" if ends else verdict
        counts[word] += 1
        if word == "disagree":
            details[f"{stem}: gcc {truth}, machine {verdict}"] += 1
        elif word in ("unsupported", "rejected"):
            details[f"{word}: {re.sub(r'[A-Za-z0-9_.-]+[.][ch]:[0-9:]+', '', detail).strip()}"] += 1
        if stem not in reasons:
            complaints.append(f"{stem}: {word} {detail} is not in the table")
        elif reasons[stem][0] != word:
            complaints.append(f"{stem}: the table says {reasons[stem][0]}, found {word} {detail}")
        else:
            judged[reasons[stem][1]] += 1
    print(f"{len(results)} files")
    for what, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6} {what}")
    print("details")
    for what, count in sorted(details.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6} {what}")
    print("judged by reading:", ", ".join(f"{n} {what}" for what, n in sorted(judged.items())) or "none")
    for complaint in complaints:
        print("TABLE:", complaint)
    if complaints or counts["panic"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
