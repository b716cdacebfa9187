#!/usr/bin/env python3
"""plumb reduce beside creduce and cvise: the same files, the same scripts, the same machine, one after the other.

    benches/reduce.py [--plumb PLUMB] [--tools plumb,plumb-gate,creduce,cvise] [--jobs N] [--only NAME,...] [--keep DIR]
                      [--json FILE] [--limit SECONDS] [--extra NAME FILE COMPILER]
    benches/reduce.py --steps [--plumb PLUMB] [--only NAME,...]         plumb --gate and cvise: is every step defined?
    benches/reduce.py --speed-up [--plumb PLUMB] [--only NAME,...]      plumb alone, with one process and with two

Cases are programs of plumb's generator that a compiler translates wrongly, refuses or dies of: tcc and pcc as they are
shipped, and gcc with a planted fault (tests/hunt/canaries); `--extra` adds wrong code of another compiler. The first seeds
that show it are taken, so that every machine with the same compilers has the same cases. Each tool gets a copy of the
file and a script that compiles with the suspect, compiles with gcc -O0, compares what the programs print, and last, where
a case is called `-strict`, asks gcc's sanitizers, or `plumb run` where it is called `-defined`. In those called `-plain`
nothing keeps a reduction from drifting into undefined behaviour. What is left is given to `plumb run`, which says whether
it did.

Printed: tokens and bytes left, elapsed time, runs of the script, and what the abstract machine says of the result.
A tool that reaches the limit is stopped, and what it has left by then is its result. With `--json` a call that was stopped
goes on: rows that the file has are not measured again. The twelve cases take two hours of two processors; the rows
that RESULTS sums up are in benches/rows/reduce-peers.json (plumb and its peers one after the other, beside other work).
"""
import argparse, json, math, os, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\.?\d(?:[eEpP][+-]|[\w.])*|[A-Za-z_$][\w$]*|'
                   r'<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)

COUNT = """#!/bin/sh
# Every candidate that the script calls interesting, where they are asked for.
# A script that is ended half-way leaves no half of a file.
keep() {
  [ -z "$REDUCE_STEPS" ] || { cp program.c "$REDUCE_STEPS/$$" && mv "$REDUCE_STEPS/$$" "$REDUCE_STEPS/$(date +%s%N)-$$.c"; }
  exit 0
}
[ -z "$REDUCE_COUNT" ] || printf x >>"$REDUCE_COUNT"
"""
# Prints something else than what gcc's program prints.
WRONG = """{suspect} -w program.c -o suspect >/dev/null 2>&1 || exit 1
gcc -w -O0 program.c -o right >/dev/null 2>&1 || exit 1
timeout 5 ./right >expected 2>/dev/null </dev/null || exit 1
timeout 5 ./suspect >actual 2>/dev/null </dev/null
[ $? -eq 0 ] || exit 1
cmp -s expected actual && exit 1
"""
# Says this while it compiles and links what gcc takes.
SAYS = """{suspect} -w program.c -o suspect -lm 2>&1 | grep -q '{says}' || exit 1
gcc -w -O0 program.c -o right >/dev/null 2>&1 || exit 1
timeout 5 ./right >/dev/null 2>&1 </dev/null || exit 1
"""
STRICT = """gcc -w -O0 -fsanitize=undefined,address -fno-sanitize-recover=all program.c -o sane >/dev/null 2>&1 || exit 1
timeout 10 ./sane >/dev/null 2>&1 </dev/null || exit 1
gcc -O1 -Wall -Wextra program.c -c -o warned.o 2>&1 | grep -qE 'uninitialized|implicit|no return statement|array-bounds' && exit 1
"""
# The abstract machine says that it is defined, wherever objects lie and in whatever order operands are evaluated.
DEFINED = """{plumb} run --json program.c 2>/dev/null </dev/null |
  grep -q '"verdict":"defined".*"address_dependent":false,"order_dependent":false' || exit 1
"""

PLANTED = "{top}/tests/hunt/canaries/"
# Name, suspect, the first seed to look at, what the suspect says (nothing: it prints something wrong), what the script asks
# about undefined behaviour, options of the generator.
CASES = [
    ("tcc-10-plain", "tcc", 10, "", "", "--no-gnu"),
    ("tcc-17-strict", "tcc", 17, "", STRICT, "--no-gnu"),
    ("tcc-24-plain", "tcc", 24, "", "", "--no-gnu --tokens 2000"),
    ("tcc-34-plain", "tcc", 34, "", "", "--no-gnu"),
    ("tcc-3-defined", "tcc", 3, "", DEFINED, "--no-gnu --tokens 2000"),
    ("tcc-87-plain", "tcc", 87, "", "", "--no-gnu --tokens 12000"),
    ("pcc-1-defined", "pcc", 1, "undefined reference to .func_", DEFINED, "--no-gnu"),
    ("pcc-18-defined", "pcc", 18, "cannot recover from earlier errors", DEFINED, "--no-gnu"),
    ("planted-2-defined", PLANTED + "signed-comparison", 2, "", DEFINED, "--tokens 2000"),
    ("planted-9-defined", PLANTED + "shift-direction", 9, "", DEFINED, "--tokens 2000"),
    ("planted-4-defined", PLANTED + "sign-extension", 4, "", DEFINED, "--tokens 2000"),
    ("planted-5-defined", PLANTED + "crash-message", 5, "internal compiler error", DEFINED, "--tokens 3000"),
]


def tokens(text):
    return len(TOKEN.findall(COMMENT.sub(" ", text)))


def make(case, plumb, room):
    """Writes program.c and test.sh, or returns None if no seed shows anything."""
    name, suspect, seed, says, asked, options = case
    if (room / "program.c").exists():
        return room
    room.mkdir(parents=True)
    kind = SAYS if says else WRONG
    script = COUNT + kind.format(suspect=suspect.format(top=TOP), says=says)
    (room / "test.sh").write_text(script + asked.format(plumb=plumb) + "keep\n")
    (room / "test.sh").chmod(0o755)
    texts = [Path(seed).read_bytes()] if isinstance(seed, str) else (
        subprocess.run([plumb, "gen", "--seed", str(n), *options.split()], capture_output=True).stdout
        for n in range(seed, seed + 200))
    for text in texts:
        (room / "program.c").write_bytes(text)
        with tempfile.TemporaryDirectory() as tmp:
            shutil.copy(room / "program.c", tmp)
            if subprocess.run([room / "test.sh"], cwd=tmp, stdin=subprocess.DEVNULL).returncode == 0:
                return True
    return None


def command(tool, jobs, plumb):
    return {
        "plumb": [plumb, "reduce", "program.c", "--test", "test.sh", "--jobs", str(jobs)],
        "plumb-gate": [plumb, "reduce", "program.c", "--test", "test.sh", "--jobs", str(jobs), "--gate"],
        "creduce": ["creduce", "--n", str(jobs), "test.sh", "program.c"],
        "cvise": ["cvise", "--n", str(jobs), "test.sh", "program.c"],
    }[tool]


def run(tool, case, args):
    room = Path(tempfile.mkdtemp(prefix=f"reduce-{tool}-", dir=args.keep))
    for name in ("program.c", "test.sh"):
        shutil.copy(case / name, room)
    count = room / "count"
    env = {**os.environ, "REDUCE_COUNT": str(count)}
    if args.steps:
        (room / "steps").mkdir()
        env["REDUCE_STEPS"] = str(room / "steps")
    before = time.monotonic()
    log = open(room / "log", "w")
    child = subprocess.Popen(command(tool, args.jobs, args.plumb), cwd=room, env=env, stdout=log, stderr=log,
                             stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        code = child.wait(args.limit)
    except subprocess.TimeoutExpired:
        code = "time limit"
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    wall = time.monotonic() - before
    left = (room / "program.c").read_text(errors="replace")
    verdict = subprocess.run([args.plumb, "run", "--json", "program.c"], cwd=room, capture_output=True, text=True)
    try:
        said = json.loads(verdict.stdout)
        open_choice = said["verdict"] == "defined" and (said["address_dependent"] or said["order_dependent"])
        verdict = "depends on what C leaves open" if open_choice else said["verdict"]
    except (ValueError, KeyError):
        verdict = "not C"
    tests = len(count.read_bytes()) if count.exists() else 0
    return {"tool": tool, "exit": code, "tokens": tokens(left), "bytes": len(left), "wall": wall,
            "tests": tests, "verdict": verdict, "result": str(room / "program.c")}


def is_undefined(text, plumb):
    """What the machine says, and whether gcc's sanitizers report anything."""
    with tempfile.TemporaryDirectory() as tmp:
        run_it = lambda *words: subprocess.run(words, cwd=tmp, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                               errors="replace")
        shutil.copy(text, Path(tmp, "program.c"))
        said = run_it(plumb, "run", "--json", "program.c").stdout
        run_it("gcc", "-w", "-O0", "-fsanitize=undefined,address", "program.c", "-o", "program")
        report = run_it("timeout", "10", "./program").stderr
        return '"verdict":"defined"' not in said, "runtime error:" in report or "AddressSanitizer" in report


def steps(args):
    """Candidates that the script called interesting, all of which are steps or might have been: are they defined?"""
    all = {"plumb-gate": [0, 0, 0], "cvise": [0, 0, 0]}
    for known in CASES:
        case = args.keep / known[0]
        chosen = known[0] in args.only.split(",") if args.only else known[0].endswith("plain")
        if not chosen or make(known, args.plumb, case) is None:
            continue
        for tool, counts in all.items():
            room = Path(run(tool, case, args)["result"]).parent
            kept = [is_undefined(text, args.plumb) for text in sorted((room / "steps").glob("*.c"))]
            here = [len(kept), sum(machine for machine, _ in kept), sum(report for _, report in kept)]
            all[tool] = counts = [a + b for a, b in zip(counts, here)]
            print(f"{known[0]:18} {tool:11} {here[0]} interesting, {here[1]} undefined; sanitizers report {here[2]}", flush=True)
    say = lambda counts: f"{counts[1]} of {counts[0]} (sanitizers report {counts[2]})"
    print(f"undefined: plumb --gate {say(all['plumb-gate'])}, cvise {say(all['cvise'])}")
    if os.environ.get("RECORD"):
        subprocess.run([TOP / "benches/record.py", "reduce-steps", "Reduction",
                        "undefined programs that a reduction with a plain script goes through", "benches/reduce.py --steps",
                        "0 with --gate", say(all["plumb-gate"]), f"cvise {say(all['cvise'])}"])


def speed_up(args):
    """Elapsed time of two processes against one, on the cases asked for, one after the other."""
    ratios = []
    for known in CASES:
        case = args.keep / known[0]
        if args.only and known[0] not in args.only.split(",") or make(known, args.plumb, case) is None:
            continue
        both = []
        for args.jobs in (1, 2):
            got = run("plumb", case, args)
            if got["exit"] != 0:
                sys.exit(f"{known[0]}: exit {got['exit']}")
            both.append(got)
        ratios.append(both[0]["wall"] / both[1]["wall"])
        print(f"{known[0]:18} {both[0]['wall']:6.1f} s, {both[0]['tests']} tests, {both[0]['tokens']} tokens; "
              f"{both[1]['wall']:6.1f} s, {both[1]['tests']}, {both[1]['tokens']}; x {ratios[-1]:.2f}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"two processes against one, geometric mean of {len(ratios)} cases: x {mean:.2f}")
    if os.environ.get("RECORD"):
        subprocess.run([TOP / "benches/record.py", "reduce-speed-up", "Reduction", "elapsed time of two processes",
                        "benches/reduce.py --speed-up", ">= 1.7 times as fast as one",
                        f"{mean:.2f} times as fast, geometric mean of {len(ratios)} cases "
                        f"({min(ratios):.2f} to {max(ratios):.2f})", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plumb", default=str(TOP / "target/release/plumb"))
    parser.add_argument("--tools", default="plumb,plumb-gate,creduce,cvise")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.mkdtemp(prefix="reduce-")))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--limit", type=float, default=3600)
    parser.add_argument("--extra", nargs=3, action="append", default=[], metavar=("NAME", "FILE", "COMPILER"))
    parser.add_argument("--speed-up", action="store_true")
    parser.add_argument("--steps", action="store_true")
    args = parser.parse_args()
    args.plumb = str(Path(args.plumb).resolve())
    args.keep = args.keep.resolve()
    args.keep.mkdir(parents=True, exist_ok=True)
    if args.speed_up or args.steps:
        return speed_up(args) if args.speed_up else steps(args)
    rows = json.loads(args.json.read_text()) if args.json and args.json.exists() else []
    row = "{:18} {:11} {:>7} {:>8} {:>9} {:>7}  {}"
    print(row.format("case", "tool", "tokens", "bytes", "wall s", "tests", "machine says"))
    for known in CASES + [(name, compiler, file, "", "", "") for name, file, compiler in args.extra]:
        name = known[0]
        if args.only and name not in args.only.split(","):
            continue
        case = args.keep / name
        if make(known, args.plumb, case) is None:
            sys.exit(f"{name}: no seed from {known[2]} on shows a difference")
        text = (case / "program.c").read_text()
        print(row.format(name, "original", tokens(text), len(text), "", "", ""), flush=True)
        for tool in filter(None, args.tools.split(",")):
            if tool in ("creduce", "cvise") and not shutil.which(tool):
                print(row.format("", tool, "", "", "", "", "not installed"))
                continue
            got = next((r for r in rows if (r["case"], r["tool"]) == (name, tool)), None)
            if got is None:
                got = {"case": name, **run(tool, case, args)}
                rows.append(got)
            note = "" if got["exit"] == 0 else f" (exit {got['exit']})"
            print(row.format("", tool, got["tokens"], got["bytes"], f"{got['wall']:.1f}", got["tests"],
                             got["verdict"] + note), flush=True)
            if args.json:
                args.json.write_text(json.dumps(rows, indent=1) + "\n")
    peers = ("creduce", "cvise")
    for ours in ("plumb", "plumb-gate"):
        ratios = []
        for case in {r["case"] for r in rows}:
            mine = [r for r in rows if r["case"] == case and r["tool"] == ours]
            theirs = [r for r in rows if r["case"] == case and r["tool"] in peers]
            if mine and theirs:
                ratios.append([mine[0][key] / max(min(r[key] for r in theirs), 1) for key in ("tokens", "wall", "tests")])
                # A peer may get smaller by leaving the language; then there is no size to compare with.
                right = [r["tokens"] for r in theirs if r["verdict"] == "defined"]
                ratios[-1].append(mine[0]["tokens"] / min(right) if right and mine[0]["verdict"] == "defined" else None)
        if ratios:
            mean = lambda k, some=ratios: math.exp(sum(math.log(r[k]) for r in some) / len(some))
            defined = [r for r in ratios if r[-1] is not None]
            drifted = f"no peer's result is defined in {len(ratios) - len(defined)} of {len(ratios)}"
            if defined:
                drifted += f", x {mean(-1, defined):.2f} in the others"
            cut = sum(r["tool"] in peers and r["exit"] != 0 for r in rows)
            if ours == "plumb" and os.environ.get("RECORD"):
                subprocess.run([TOP / "benches/record.py", "reduce-peers", "Reduction",
                                f"size and time beside creduce and cvise, {len(ratios)} cases", "benches/reduce.py",
                                "size <= 1 x, time <= 0.2 x of the better peer",
                                f"tokens x {mean(0):.2f} ({drifted}), time x {mean(1):.2f}, tests x {mean(2):.2f}",
                                f"the better of both; {cut} of their runs stopped after {args.limit:.0f} s"])
            print(f"{ours} against the better peer, geometric means of {len(ratios)} cases: "
                  f"tokens x {mean(0):.2f} ({drifted}), wall time x {mean(1):.2f}, tests x {mean(2):.2f}; "
                  f"{cut} runs of peers were stopped")


main()
