#!/usr/bin/env python3
"""Measures variants (plumb emi): speed, validity, sanitizers, reach into gcc's optimiser, survival, canaries.

usage: benches/emi.py speed FILE.i ...              CPU ms of a variant, profile amortised over 10, per strategy
       benches/emi.py validity [-n N] FILE.i ...    every variant of all strategies against its seed, on the machine
       benches/emi.py sanitize [-n N] FILE.i ...    variants under gcc -O0 with sanitizers, against the machine's answer
       benches/emi.py reach --events TOOL FILE.i .. events of gcc's optimiser: seeds against 10 variants of each
       benches/emi.py survive FILE.i ...            variants that differ from their seed after gcc's front end and -O2
       benches/emi.py canaries [--seconds S]        planted faults found in equal CPU time: seeds alone and strategies

Files are preprocessed C programs. Build first: cargo build --release -p plumb; cargo build --release -p plumb-mutate
--example measure. The compiler under test is gcc; every figure of a peer comes from the same call.
"""
import argparse, glob, hashlib, json, os, re, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEASURE = os.path.join(ROOT, "target/release/examples/measure")
PLUMB = os.path.join(ROOT, "target/release/plumb")
STRATEGIES = ["orion", "athena", "hermes", "identity", "zero", "outline", "unroll", "cases", "aggregate", "facts"]
MIXES = [[s] for s in STRATEGIES] + [["orion", "athena", "hermes"], STRATEGIES]


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def title(mix):
    return "all" if mix == STRATEGIES else "+".join(mix)


def measure(mix, variants, files, *more):
    done = run([MEASURE, "--strategy", ",".join(mix), "--variants", str(variants), *more, *files])
    return done.stdout.decode(errors="replace")


def speed(a):
    for mix in MIXES:
        last = measure(mix, 10, a.files).strip().split("\n")[-1]
        got = re.search(r"profile ([\d.]+) a\s+seed; a variant ([\d.]+) made \+ ([\d.]+) checked", last)
        profile, made, checked = map(float, got.groups())
        whole = profile / 10 + made + checked
        print(f"{title(mix):22} {whole:6.2f} ms: profile/10 {profile / 10:.2f}, made {made:.2f}, checked {checked:.2f}", flush=True)


def validity(a):
    made = wrong = 0
    for mix in MIXES:
        out = measure(mix, a.n, a.files)
        last = out.strip().split("\n")[-1]
        made += int(re.search(r"(\d+) variants", last).group(1))
        wrong += int(re.search(r"(\d+) wrong", last).group(1))
        print(f"{title(mix):22} {last.split('; CPU')[0]}", flush=True)
        for line in out.split("\n"):
            if line.startswith("WRONG"):
                print("  " + line[:300])
    print(f"{made} variants, {wrong} wrong")
    return 1 if wrong else 0


def written(mix, variants, files, where):
    measure(mix, variants, files, "--unchecked", "--write", where)
    return sorted(f for f in glob.glob(where + "/*.c") if not f.endswith((".seed.c", ".wrong.c")))


def sanitize(a):
    compared = bad = 0
    flags = ["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"]
    with tempfile.TemporaryDirectory() as d:
        for f in written(STRATEGIES, a.n, a.files, d):
            expected = open(re.sub(r"-\d+\.c$", ".out", f), "rb").read()
            program = f[:-2]
            if run(["gcc", *flags, f, "-o", program, "-lm"]).returncode != 0:
                bad += 1
                print("does not compile:", f)
                continue
            try:
                done = run([program], timeout=60, env={"ASAN_OPTIONS": "detect_leaks=0"})
            except subprocess.TimeoutExpired:
                print("too slow:", f)
                continue
            compared += 1
            said = b"runtime error" in done.stderr or b"Sanitizer" in done.stderr
            if said or done.stdout != expected:
                bad += 1
                why = next((l for l in done.stderr.decode(errors="replace").split("\n") if "rror" in l), "other output")
                print("differs:", os.path.basename(f), why[:200], flush=True)
            os.remove(program)
    print(f"{compared} variants under gcc -O0 with sanitizers, {bad} differ or are undefined")
    return 1 if bad else 0


def reach(a):
    if not a.events:
        sys.exit("reach: name the tool with --events")
    with tempfile.TemporaryDirectory() as d:
        measure(["orion"], 0, a.files, "--write", d)
        seeds = sorted(glob.glob(d + "/*.seed.c"))
        print(f"{'seeds':22} {run([a.events, *seeds]).stdout.decode().strip()}", flush=True)
    for mix in MIXES if not a.few else [["orion"], ["athena"], ["hermes"], STRATEGIES]:
        with tempfile.TemporaryDirectory() as d:
            files = written(mix, a.n, a.files, d)
            print(f"{title(mix):22} {run([a.events, *files]).stdout.decode().strip()}", flush=True)


def fingerprint(path, level, d):
    """What is left of a program: the dump after gimplification, or the code, without names of files and labels."""
    if level == "gimple":
        dump = os.path.join(d, "gimple")
        run(["gcc", "-w", "-O0", "-fdump-tree-gimple=" + dump, "-S", path, "-o", os.path.join(d, "s")])
        text = open(dump, errors="replace").read()
    else:
        run(["gcc", "-w", level, "-S", path, "-o", os.path.join(d, "s")])
        text = open(os.path.join(d, "s"), errors="replace").read()
        text = re.sub(r"^\t\.(file|ident|section|size|type).*$", "", text, flags=re.M)
    text = re.sub(r"\b[A-Za-z]+\.\d+(_\d+)?\b|\bD\.\d+\b|\.L[A-Z]*\d+|_\d+\b", "@", text)
    return hashlib.sha256(text.encode()).digest()


def survive(a):
    for mix in MIXES if not a.few else [["orion"], ["athena"], ["hermes"], STRATEGIES]:
        with tempfile.TemporaryDirectory() as d:
            files = written(mix, a.n, a.files, d)
            front = code = total = 0
            known = {}
            for f in files:
                seed = re.sub(r"-\d+\.c$", ".seed.c", f)
                for level in ("gimple", "-O2"):
                    if (seed, level) not in known:
                        known[seed, level] = fingerprint(seed, level, d)
                total += 1
                front += fingerprint(f, "gimple", d) != known[seed, "gimple"]
                code += fingerprint(f, "-O2", d) != known[seed, "-O2"]
            share = lambda n: 100 * n / max(total, 1)
            print(f"{title(mix):22} {total} variants: {share(front):.0f} % differ after the front end, {share(code):.0f} % in code at -O2", flush=True)


def canaries(a):
    directory = os.path.join(ROOT, "tests/hunt/canaries")
    names = sorted(n for n in os.listdir(directory) if not n.endswith(".sh"))
    for mix in [[], ["orion"], ["athena"], ["hermes"], ["all"]]:
        found = []
        for name in names:
            path = os.path.join(directory, name)
            with tempfile.TemporaryDirectory() as d:
                words = [PLUMB, "hunt", "--json", "--cc", path, "--levels", "-O0,-O2", "--alarms", "1", "--jobs", "1", "--store", d,
                         "--for", f"{a.seconds}s", "--compile-time", "3s", "--run-time", "1s"]
                if mix:
                    words += ["--strategy", ",".join(mix)]
                done = run(words)
                summary = json.loads(done.stdout.decode().strip().split("\n")[-1])
                if summary.get("alarms"):
                    found.append(name)
        print(f"{'+'.join(mix) or 'seeds alone':14} {len(found)} of {len(names)}: {' '.join(found)}", flush=True)


ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("what", choices=["speed", "validity", "sanitize", "reach", "survive", "canaries"])
ap.add_argument("-n", type=int, default=10, help="variants of each seed")
ap.add_argument("--few", action="store_true", help="orion, athena, hermes and all only")
ap.add_argument("--events", help="a tool that counts events of gcc's optimiser over C files")
ap.add_argument("--seconds", type=float, default=20, help="for canaries: time of each hunt")
ap.add_argument("files", nargs="*")
a = ap.parse_intermixed_args()
if a.what != "canaries" and not a.files:
    ap.error("no files")
sys.exit(globals()[a.what](a))
