#!/usr/bin/env python3
"""Known bugs of GCC: does triage blame the pass that GCC's developers mended?

    benches/known-bugs.py GCC-SOURCE --cc 'gcc-11' --cc 'gcc' [--every N] [--part K] [--plumb PATH] [--store DIR] [--list FILE]

GCC-SOURCE is the source of a newer GCC than those asked (Debian: package gcc-16-source). Its own run tests, called by the numbers
of problem reports, are compiled with each compiler at the test's options, or at -O1, -O2 and -O3. One that fails there and not
at -O0 is a bug that this compiler has. `plumb hunt` raises it (what the machine knows no meaning of, or what the test
says of undefined behaviour, is left out and counted), `plumb triage --quick` blames it. The answer is right if
the files that the report's entries in GCC's ChangeLogs name have the pass (its `pass_data`), or code of the kinds below that
passes of that representation use. --every N takes one in N of them, chosen by name, --part K another one in N. --list keeps the
failing tests, so that another call does not look for them again.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Code that several passes call: files, and the passes that a mistake in them may show in.
SHARED = [
    (r"(match\.pd|fold-const|gimple-fold|tree-ssa-alias|tree-ssa-loop-niter|tree-scalar-evolution|tree-chrec|tree-data-ref|"
     r"tree-affine|tree-ssa\.|gimple-range|range-op|value-range|value-relation|tree-ssa-operands|tree-ssa-loop-manip|tree-cfg|tree-ssanames|"
     r"tree-ssa-structalias|builtins|poly-int|wide-int|tree\.|gimple-match)", r"(tree|ipa)-"),
    (r"tree-vect", r"tree-(vect|slp)"),
    (r"tree-ssa-thread|tree-ssa-dom", r"tree-(thread|ethread|dom)"),
    (r"tree-ssa-sccvn", r"tree-(fre|pre)"),
    (r"tree-vrp|vr-values", r"tree-(vrp|evrp|dom)"),
    (r"ipa-", r"ipa-|tree-(modref|einline)"),
    (r"(simplify-rtx|rtlanal|config/i386|recog|emit-rtl|df-|alias|optabs|expmed|lower-subreg)", r"rtl-"),
    (r"(lra|ira|reload)", r"rtl-(ira|reload)"),
    (r"(sched-|haifa-sched)", r"rtl-sched"),
]
DIRECTORIES = ["gcc.c-torture/execute", "gcc.dg/torture", "gcc.dg", "gcc.dg/vect", "gcc.dg/tree-ssa"]


def run(words, **more):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **more)


def tests(suite):
    """Run tests with the options to compile them with."""
    for where in DIRECTORIES:
        for path in sorted((suite / where).glob("pr*.c")):
            text = path.read_text("latin-1")
            number = re.match(r"pr(\d+)", path.name)
            runs = where.startswith("gcc.c-torture") or re.search(r"dg-do\s+run", text)
            if not number or int(number[1]) < 90000 or not runs:
                continue
            given = re.findall(r'dg-(?:additional-)?options\s+"([^"]*)"\s*\}', text)
            words = [word for line in given for word in line.split() if not re.match(r"-(fdump|std|pedantic|W|w$)", word)]
            if any(word.startswith("-D") for word in words):
                continue
            if any(word.startswith("-O") for word in words):
                yield path, [" ".join(words)]
            else:
                yield path, [" ".join([level, *words]) for level in ("-O1", "-O2", "-O3")]


def ends(cc, path, options, room):
    """How the program ends; None where there is none."""
    try:
        made = run([*cc.split(), *options.split(), "-w", path, "-o", room / "a", "-lm"], timeout=60, cwd=path.parent)
        return None if made.returncode else run([room / "a"], timeout=10).returncode
    except subprocess.TimeoutExpired:
        return "time"


def failing(compilers, suite, room):
    for cc in compilers:
        for path, levels in tests(suite):
            for options in levels:
                plain = re.sub(r"-O\w*", "-O0", options)
                if ends(cc, path, options, room) not in (0, None) and ends(cc, path, plain, room) == 0:
                    yield cc, str(path.relative_to(suite)), options
                    break


def mended(gcc):
    """The files that entries of ChangeLogs name, by the number of the report."""
    files = collections.defaultdict(set)
    for log in gcc.glob("ChangeLog*"):
        for entry in re.split(r"^(?=\d{4}-\d\d-\d\d  )", log.read_text("latin-1"), flags=re.M):
            names = re.findall(r"^\t\* ([\w./+-]+)", entry, flags=re.M)
            # Entries that come back to a change are listed under the same number and say nothing more.
            for number in re.findall(r"\bPR [\w+-]+/(\d+)", entry):
                files[int(number)].update(names)
    return files


def homes(gcc):
    """The file that each pass is defined in, by the pass's kind and name without the number of an instance."""
    kinds = {"GIMPLE_PASS": "tree", "RTL_PASS": "rtl", "IPA_PASS": "ipa", "SIMPLE_IPA_PASS": "ipa"}
    found = {}
    for path in [*gcc.glob("*.cc"), *gcc.glob("config/i386/*.cc")]:
        text = path.read_text("latin-1")
        for kind, name in re.findall(r"pass_data_\w+\s*=\s*\{\s*(\w+_PASS),\s*(?:/\*.*?\*/)?\s*\"\*?([^\"]+)\"", text):
            found[f"{kinds[kind]}-{name.rstrip('0123456789')}"] = path.name
    return found


def judged(culprit, files, home):
    """Is a culprit what was mended?"""
    stem = culprit.rstrip("0123456789")
    bare = {pathlib.Path(name).with_suffix("").name for name in files}
    if stem in home and pathlib.Path(home[stem]).with_suffix("").name in bare:
        return True
    return any(re.search(kind, stem) and re.match(code, name) for code, kind in SHARED for name in files)


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("source", type=pathlib.Path)
    parse.add_argument("--cc", action="append", required=True)
    parse.add_argument("--every", type=int, default=1)
    parse.add_argument("--part", type=int, default=0)
    parse.add_argument("--plumb", default=ROOT / "target/release/plumb")
    parse.add_argument("--store", type=pathlib.Path)
    parse.add_argument("--list", type=pathlib.Path)
    args = parse.parse_args()
    gcc, room = args.source / "gcc", pathlib.Path(tempfile.mkdtemp())
    suite, store = gcc / "testsuite", args.store or room / "store"
    if args.list and args.list.exists():
        known = [json.loads(line)[:3] for line in args.list.read_text().splitlines()]
    else:
        known = list(failing(args.cc, suite, room))
        if args.list:
            args.list.write_text("".join(json.dumps(one) + "\n" for one in known))
    # By name: which others fail on a busy machine changes nothing.
    chosen = lambda name: zlib.crc32(pathlib.Path(name).stem.encode()) % args.every == args.part
    known = [one for one in known if one[0] in args.cc and chosen(one[1])]
    for number, (cc, name, options) in enumerate(known):
        programs = room / f"{number:03}"
        programs.mkdir()
        shutil.copy(suite / name, programs)
        run([args.plumb, "hunt", "--from", programs, "--cc", cc, f"--levels={options}", "--drawn", 0, "--jobs", 1, "--store", store])
    listed = run([args.plumb, "findings", "--json", "--store", store]).stdout.splitlines()
    of = {line["id"]: line for line in map(json.loads, listed) if line["type"] == "finding"}
    done = run([args.plumb, "triage", "--quick", "--json", "--store", store])
    files, home, counts, versions = mended(gcc), homes(gcc), collections.Counter(), set()
    for row in map(json.loads, done.stdout.splitlines()):
        if row["type"] != "triage":
            continue
        found = json.dumps(of[row["finding"]])
        number = int(re.search(r"\bpr(\d+)[\w-]*\.c", found)[1])
        blamed = (row["culprit"] or {}).get("pass")
        culprit = f"{ {'gimple': 'tree'}.get(blamed['kind'], blamed['kind']) }-{blamed['name']}" if blamed else "nothing"
        fix = sorted(name for name in files[number] if not name.startswith("testsuite"))
        verdict = "right" if judged(culprit, fix, home) else "wrong" if fix else "no entry"
        counts[verdict] += 1
        versions.add(of[row["finding"]]["configuration"].split(" -")[0])
        print(f"{verdict:8} {of[row['finding']]['configuration']}: PR {number} blamed on {culprit}; mended: {' '.join(fix)[:120]}", flush=True)
    all = counts["right"] + counts["wrong"]
    figure = (f"{', '.join(sorted(versions))}: {counts['right']} of {all} known bugs blamed on the pass that was mended "
              f"({100 * counts['right'] / max(1, all):.1f} %); {len(known) - len(of)} tests raised no alarm")
    print(figure)
    shutil.rmtree(room)
    if os.environ.get("RECORD") == "1":
        every = f" --every {args.every}" if args.every > 1 else ""
        every += f" --part {args.part}" if args.part else ""
        command = "benches/known-bugs.py gcc-16.2.0 " + " ".join(f"--cc '{cc}'" for cc in args.cc) + every
        run([ROOT / "benches/record.py", "triage-known", "Reduction", "known bugs of GCC are blamed on the pass that was mended later",
             command, "right pass >= 90 %", figure], check=True)


main()
