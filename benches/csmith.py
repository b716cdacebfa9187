#!/usr/bin/env python3
"""Csmith programs, seeds 1-60, --no-float: CPU time to plumb's verdict (preprocessing included) against compiling with
gcc -O0 -fsanitize=address,undefined and running; and the checksums against gcc -O0.

    benches/csmith.py [FIRST LAST]

Programs that run past 10 s under gcc -O0 are left out of the comparison and counted. Each side is the best of three
runs, so that a busy machine counts less. Fails if a checksum differs.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLUMB = ROOT / "target/release/plumb"
INCLUDE = "-I/usr/include/csmith"


def run(words, work, seconds=60):
    """Exit status (None: time ran out), stdout, stderr and CPU seconds of one process and what it waited for."""
    with open(work / "out", "wb") as out, open(work / "err", "wb") as err:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=work)
        end = time.monotonic() + seconds
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                return None, b"", b"", 0.0
            time.sleep(0.0005)
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return child.returncode, (work / "out").read_bytes(), (work / "err").read_bytes(), cpu


def best(words, work, times=3):
    """As `run`, with the least CPU time of several runs."""
    results = [run(words, work) for _ in range(times)]
    return min(results, key=lambda result: result[3])


def main():
    first, last = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else (1, 60)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=ROOT, check=True)
    agree = differ = endless = undefined = 0
    ratios, ours_all, peer_all, longest = [], 0.0, 0.0, (0.0, 0)
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
        for seed in range(first, last + 1):
            source = work / f"{seed}.c"
            source.write_bytes(subprocess.run(["csmith", "--seed", str(seed), "--no-float"], cwd=work, capture_output=True, check=True).stdout)
            run(["gcc", "-O0", "-w", INCLUDE, str(source), "-o", str(work / "plain")], work)
            code, expected, _, _ = run([str(work / "plain")], work, 10)
            if code is None:
                endless += 1
                print(f"seed {seed}: gcc -O0 runs past 10 s; left out")
                continue
            flags = ["-O0", "-g", "-w", INCLUDE, "-fsanitize=address,undefined"]
            built = best(["gcc", *flags, str(source), "-o", str(work / "sanitized")], work, 2)
            ran = best([str(work / "sanitized")], work, 2)
            status, out, err, ours = best([str(PLUMB), "run", INCLUDE, str(source)], work)
            peer = built[3] + ran[3]
            ours_all, peer_all, longest = ours_all + ours, peer_all + peer, max(longest, (ours, seed))
            ratios.append(peer / ours)
            if status == 0 and out == expected:
                agree += 1
            elif status == 3:
                undefined += 1
                what = re.search(rb"undefined[^:]*", err)
                again = run([str(PLUMB), "run", "--allow-misaligned", INCLUDE, str(source)], work)
                same = "same checksum" if again[1] == expected else "another checksum"
                said = ran[2].count(b"runtime error")
                print(f"seed {seed}: {(what or [b'undefined'])[0].decode()} (gcc's sanitizers: {said} reports; --allow-misaligned: {same})")
            else:
                differ += 1
                print(f"seed {seed}: exit {status}: {err.decode(errors='replace').splitlines()[:1]}")
    print(f"agree {agree}, undefined {undefined}, differ {differ}, endless {endless}")
    ratios.sort()
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"CPU in all: plumb {ours_all:.2f} s, gcc with sanitizers {peer_all:.2f} s: 1/{peer_all / ours_all:.1f}")
    print(f"per program: geometric mean 1/{mean:.1f}, median 1/{ratios[len(ratios) // 2]:.1f}, worst 1/{ratios[0]:.1f}")
    print(f"longest: seed {longest[1]}, {longest[0]:.2f} s")
    sys.exit(1 if differ else 0)


main()
