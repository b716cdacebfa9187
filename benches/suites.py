#!/usr/bin/env python3
"""Suites that others wrote about the meaning of C, on the machine: defined programs beside gcc -O0, undefined ones by whether
they are found.

    benches/suites.py [--k DIR] [--cerberus DIR] [--c-testsuite DIR] [--undefined] [--plumb FILE]
                                                                          RECORD=1 writes the figures of RESULTS.md

Each DIR is a checkout (github kframework/c-semantics, rems-project/cerberus, c-testsuite/c-testsuite). A defined program
agrees if exit and output are gcc's, and what the suite expects where it says so. Undefined programs are those that the
suites name so; where K's semantics has written beside a program what it reports, and that is unspecified or
implementation-defined behaviour alone, the program is left out. One is found when the machine stops there, or when the
front end refuses it. Undefined programs of two files (`-link1.c`, `-link2.c`) are tried as one.

Fails for every program that the machine calls defined with another meaning, for every defined one that it calls undefined,
and for every undefined one that it misses or does not support, unless tests/machine/suites-reasons.txt has the reason. That
of one which is undefined at run time begins with `limit:`, that of one which only a compiler could see with `static:`; the
others are not undefined. The share found is of what is undefined at run time.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

from torture import ROOT, bounded, gcc_side

TABLE = ROOT / "tests/machine/suites-reasons.txt"
PLUMB = ROOT / "target/release/plumb"
# What a reason begins with, and what that says of a program that is not found.
KINDS = {"limit": "undefined at run time", "static": "only a compiler could see it"}


def linked(folder):
    """Programs of a folder of K's semantics, the first file of each."""
    return [p for p in sorted(folder.glob("*.c")) if not p.name.endswith("-link2.c")]


def said_undefined(path):
    """Does what the suite expects of a program name an undefined behaviour, or nothing?"""
    report = path.with_name(path.name + ".ref")
    kinds = re.findall(r"\((UB|USP|IMPL|CV)-", report.read_text(errors="replace")) if report.exists() else []
    return not kinds or "UB" in kinds


def programs(a):
    """Path and whether the suite calls the program undefined."""
    if a.k:
        codes = a.k / "examples/c/error-codes/undefined"
        yield from ((p, False) for p in sorted((a.k / "tests/unit-pass").glob("*.c")))
        yield from ((p, True) for p in linked(a.k / "tests/unit-fail") if said_undefined(p))
        yield from ((p, False) for p in sorted(codes.glob("*-good.c")))
        yield from ((p, True) for p in sorted(codes.glob("*-bad.c")))
    if a.cerberus:
        for p in sorted((a.cerberus / "tests/ci").glob("*.c")):
            if not any(word in p.name for word in (".error.", ".syntax-only.", ".exhaust.")):
                yield p, ".undef." in p.name
    if a.c_testsuite:
        yield from ((p, False) for p in sorted((a.c_testsuite / "tests/single-exec").glob("*.c")))


def judge(path, undefined):
    """A word for what came of a program."""
    second = path.with_name(path.name.replace("-link1.c", "-link2.c"))
    if not undefined or second == path or not second.exists():
        return judge_file(path, undefined)
    with tempfile.TemporaryDirectory() as work:
        whole = pathlib.Path(work) / path.name
        whole.write_text(f'#include "{path}"\n#include "{second}"\n')
        return judge_file(whole, undefined)


def judge_file(path, undefined):
    ran = bounded([str(PLUMB), "run", "--json", path.name], 60, path.parent)
    if ran is None:
        return "out of time"
    status, out = ran
    if status == 2:
        return "found" if undefined else "refused"
    answer = json.loads(out)
    verdict = answer["verdict"]
    if verdict in ("unsupported", "exhausted"):
        return verdict
    if undefined:
        return "found" if verdict == "undefined" else "missed"
    if verdict == "undefined":
        return "called undefined"
    if answer["address_dependent"] or answer["order_dependent"]:
        return "depends on what C leaves open"
    expected = path.with_name(path.name + ".expected")
    if expected.exists() and answer["stdout"] != expected.read_text():
        return "other output"
    with tempfile.TemporaryDirectory() as work:
        peer, text = gcc_side(path, pathlib.Path(work))
    if peer == "refused":
        return "refused by gcc"
    own = f"signal {answer['signal']}" if answer["signal"] else f"code {answer['exit']}"
    same_text = text.encode("latin-1").decode("utf-8", "replace") == answer["stdout"]
    return "agrees" if peer == own and same_text else "other meaning"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for suite in ("--k", "--cerberus", "--c-testsuite"):
        parser.add_argument(suite, type=pathlib.Path)
    parser.add_argument("--undefined", action="store_true", help="the undefined programs alone, which need no peer")
    parser.add_argument("--plumb", type=pathlib.Path, help="this executable and not a new build")
    a = parser.parse_args()
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    known = dict(tuple(part.strip() for part in line.split("|", 1)) for line in lines)
    global PLUMB
    if a.plumb:
        PLUMB = a.plumb.resolve()
    else:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
    todo = [(path, undefined) for path, undefined in programs(a) if undefined or not a.undefined]
    if not todo:
        raise SystemExit("no programs: give at least one checkout")
    counts, wrong, needed = {False: collections.Counter(), True: collections.Counter()}, [], set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, undefined), word in zip(todo, pool.map(lambda job: judge(*job), todo)):
            reason = known.get(path.name)
            bad = word in ("missed", "called undefined", "other output", "other meaning", "refused")
            bad |= undefined and word == "unsupported"
            if undefined and bad and reason:
                word += ": " + KINDS.get(reason.split(":")[0], "not undefined in C11 or as gcc documents it")
            counts[undefined][word + (", with a reason" if bad and reason and not undefined else "")] += 1
            if bad and not reason:
                wrong.append(path.name)
            if reason and bad:
                needed.add(path.name)
            if bad or word == "unsupported":
                print(f"{path.name}: {word}{f' ({reason})' if reason else ''}", flush=True)
    figures = {}
    for undefined, name in ((False, "defined"), (True, "undefined")):
        figures[undefined] = ", ".join(f"{n} {word}" for word, n in counts[undefined].most_common())
        if undefined:
            found = counts[True]["found"]
            all_of_them = found + sum(n for word, n in counts[True].items() if word.endswith(KINDS["limit"]))
            figures[True] += f"; of {all_of_them} undefined at run time {100 * found / all_of_them:.1f} % found"
        print(f"{name}: {figures[undefined]}")
    stale = sorted({path.name for path, _ in todo if path.name in known} - needed)
    if stale and not a.undefined:
        print(f"reasons that are not needed: {' '.join(stale)}")
    if wrong:
        raise SystemExit(f"{len(wrong)} without a reason in {TABLE.relative_to(ROOT)}: {' '.join(wrong)}")
    if os.environ.get("RECORD") == "1":
        what = " ".join(f"{name} DIR" for name, given in
                        (("--k", a.k), ("--cerberus", a.cerberus), ("--c-testsuite", a.c_testsuite)) if given)
        for undefined, name, reach in ((False, "defined", "0 disagreements, 0 called undefined"),
                                       (True, "undefined", "≥ 95 % found, the others named with the reason")):
            if not undefined and a.undefined:
                continue
            subprocess.run([str(ROOT / "benches/record.py"), f"machine-suites-{name}", "Abstract machine",
                            f"{name} programs of three outside suites", f"benches/suites.py {what}", reach,
                            figures[undefined], "gcc -O0" if not undefined else ""], check=True)


if __name__ == "__main__":
    main()
