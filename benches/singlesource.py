#!/usr/bin/env python3
"""Programs that others wrote, with all checks on, against `gcc -O0`: twenty of LLVM's SingleSource benchmarks.

    benches/singlesource.py DIR [--plumb FILE] [--runs N]      RECORD=1 writes the figure of RESULTS.md

DIR is a checkout of github llvm/llvm-test-suite. Arguments make the longest of them shorter; both sides get the same, and must
print the same. Prints the CPU seconds of each (the least of N runs) and the ratio, and last geometric mean and worst.
"""
import argparse
import math
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMALL = ["-DSMALL_PROBLEM_SIZE"]
# File, options for both compilers, arguments.
PROGRAMS = [
    *((f"Stanford/{name}.c", [], []) for name in
      ("Bubblesort", "IntMM", "Oscar", "Perm", "Queens", "Quicksort", "Towers", "Treesort")),
    ("Shootout/ackermann.c", [], ["7"]), ("Shootout/ary3.c", [], ["30000"]), ("Shootout/fib2.c", [], ["32"]),
    ("Shootout/hash.c", [], ["40000"]), ("Shootout/heapsort.c", [], ["100000"]), ("Shootout/matrix.c", [], ["1500"]),
    ("Shootout/nestedloop.c", [], ["13"]), ("Shootout/random.c", [], ["2000000"]), ("Shootout/sieve.c", [], ["600"]),
    ("BenchmarkGame/partialsums.c", [], []), ("Misc/salsa20.c", SMALL, []), ("Misc/lowercase.c", SMALL, []),
]


def once(words):
    """CPU seconds and output of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout, done.returncode


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir", type=pathlib.Path)
    ap.add_argument("--plumb", type=pathlib.Path, help="this executable and not a new build")
    ap.add_argument("--runs", type=int, default=2)
    a = ap.parse_args()
    if not a.plumb:
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
    plumb = a.plumb or ROOT / "target/release/plumb"
    ratios, wrong = {}, []
    with tempfile.TemporaryDirectory() as work:
        for name, options, arguments in PROGRAMS:
            path, native = a.dir / "SingleSource/Benchmarks" / name, os.path.join(work, "native")
            subprocess.run(["gcc", "-O0", "-w", *options, str(path), "-o", native, "-lm"], check=True)
            peer = [once([native, *arguments]) for _ in range(3 * a.runs)]
            run = [str(plumb), "run", "--propagate-exit", "--max-steps", "100000000000", *options, str(path), "--", *arguments]
            own = [once(run) for _ in range(a.runs)]
            if own[0][1:] != peer[0][1:]:
                wrong.append(name)
                print(f"{name:28} another answer than gcc's, or none (exit {own[0][2]})", flush=True)
                continue
            ratios[name] = min(own)[0] / max(min(peer)[0], 0.001)
            print(f"{name:28} gcc -O0 {min(peer)[0]:7.3f} s   plumb {min(own)[0]:8.3f} s   {ratios[name]:6.1f} x", flush=True)
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    worst = max(ratios, key=ratios.get)
    figure = f"{mean:.1f} × over {len(ratios)} programs, worst {ratios[worst]:.1f} × ({pathlib.Path(worst).stem})"
    print(figure)
    if wrong:
        raise SystemExit(f"other answers than gcc's: {' '.join(wrong)}")
    if os.environ.get("RECORD") == "1":
        subprocess.run([str(ROOT / "benches/record.py"), "machine-singlesource", "Abstract machine",
                        "20 programs of LLVM's SingleSource benchmarks, all checks on", "benches/singlesource.py DIR",
                        "≤ 10 × (geometric mean), ≤ 25 × (worst)", figure, "gcc -O0, 1 ×"], check=True)


if __name__ == "__main__":
    main()
