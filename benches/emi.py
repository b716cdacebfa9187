#!/usr/bin/env python3
"""Measures variants (plumb emi): speed, validity, sanitizers, reach into gcc's optimiser, survival, canaries.

usage: benches/emi.py speed FILE.i ...              CPU ms of a variant, profile amortised over 10, per strategy
       benches/emi.py validity [-n N] FILE.i ...    every variant of all strategies against its seed, on the machine
       benches/emi.py sanitize [-n N] FILE.i ...    variants under gcc -O0 with sanitizers, against the machine's answer
       benches/emi.py reach --events TOOL FILE.i .. events of gcc's optimiser: seeds against 10 variants of each
       benches/emi.py survive FILE.i ...            variants that differ from their seed after gcc's front end and -O2
       benches/emi.py canaries --corpus DIR FILE.i ...   planted faults that seeds alone and variants find in equal CPU time
       benches/emi.py tune FILE.i ...               Athena's parameters: what its variants add to gcc's code

Files are preprocessed C programs. Build first: cargo build --release -p plumb; cargo build --release -p plumb-mutate
--example measure. The compiler under test is gcc; every figure of a peer comes from the same call.
"""
import argparse, glob, hashlib, json, os, random, re, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Copies may be named, so that a long run is not disturbed by a build.
MEASURE = os.environ.get("PLUMB_MEASURE", os.path.join(ROOT, "target/release/examples/measure"))
PLUMB = os.environ.get("PLUMB", os.path.join(ROOT, "target/release/plumb"))


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


STRATEGIES = run([MEASURE, "--list"]).stdout.decode().split()
PROTEUS = ["all-split"]
MIXES = [[s] for s in STRATEGIES] + [["orion", "athena", "hermes"], STRATEGIES]


def title(mix):
    return "all" if mix == STRATEGIES else "+".join(mix)


def measure(mix, variants, files, *more):
    if a.database and "athena" in mix:
        more += ("--corpus", a.database)
    done = run([MEASURE, "--strategy", ",".join(mix), "--variants", str(variants), *more, *files])
    return done.stdout.decode(errors="replace")


def speed(a):
    for mix in MIXES:
        last = measure(mix, 10, a.files).strip().split("\n")[-1]
        got = re.search(r"profile ([\d.]+) a\s+seed; a variant ([\d.]+) made \+ ([\d.]+) checked", last)
        profile, made, checked = map(float, got.groups())
        whole = profile / 10 + made + checked
        print(f"{title(mix):22} {whole:6.2f} ms: profile/10 {profile / 10:.2f}, made {made:.2f}, checked {checked:.2f}", flush=True)


def pieces(a, work):
    """The pieces of a long measurement, each with what it came to. With --state, those that a former call has finished
    are read from that file, so that a call can be stopped at any moment and made again."""
    done = {}
    if a.state and os.path.exists(a.state):
        for line in open(a.state):
            if line.endswith("\n"):
                key, value = json.loads(line)
                done[key] = value
    for key, make in work:
        if key not in done:
            done[key] = make()
            if a.state:
                with open(a.state, "a") as f:
                    f.write(json.dumps([key, done[key]]) + "\n")
        yield key, done[key]


CHUNK = 50


def validity(a):
    def checked(mix, files):
        split = ["--split"] if mix == PROTEUS else []
        out = measure(STRATEGIES if split else mix, a.n, files, *split)
        count = lambda word: int(re.search(r"(\d+) " + word, out.strip().split("\n")[-1]).group(1))
        wrong = [line[:300] for line in out.split("\n") if line.startswith("WRONG")]
        return [count("seeds"), count("variants"), count("wrong"), count("out of budget"), wrong]

    chunks = [a.files[k : k + CHUNK] for k in range(0, len(a.files), CHUNK)]
    work = [(f"{title(mix)} {a.n} {chunk[0]}", lambda mix=mix, chunk=chunk: checked(mix, chunk)) for mix in MIXES + [PROTEUS] for chunk in chunks]
    sums = {}
    for key, (seeds, made, wrong, budget, lines) in pieces(a, work):
        row = sums.setdefault(key.split(" ")[0], [0, 0, 0, 0])
        for k, n in enumerate((seeds, made, wrong, budget)):
            row[k] += n
        for line in lines:
            print("  " + line, flush=True)
    for name, (seeds, made, wrong, budget) in sums.items():
        print(f"{name:22} {seeds} seeds, {made} variants, {wrong} wrong, {budget} out of budget")
    total = [sum(s[k] for s in sums.values()) for k in range(4)]
    print(f"{total[1]} variants, {total[2]} wrong, {total[3]} out of budget")
    return 1 if total[2] else 0


def written(mix, variants, files, where):
    measure(mix, variants, files, "--unchecked", "--write", where)
    return sorted(f for f in glob.glob(where + "/*.c") if not f.endswith((".seed.c", ".wrong.c")))


SANITIZED = ["-w", "-O0", "-pipe", "-fsanitize=address,undefined", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"]


def sanitized(a, file):
    """Variants of one seed under gcc -O0 with sanitizers: how many were compared, and what is wrong with which."""
    compared, bad = 0, []
    with tempfile.TemporaryDirectory() as d:
        files = written(STRATEGIES, a.n, [file], d)
        # What gcc says of a seed itself is not the variants' fault.
        for f in glob.glob(d + "/*.seed.c"):
            done = run(["gcc", *SANITIZED, f, "-o", d + "/seed", "-lm"])
            if done.returncode != 0 or b"runtime error" in run([d + "/seed"], stdin=subprocess.DEVNULL).stderr:
                print("left out, as gcc or its sanitizers refuse the seed:", file, flush=True)
                return [0, []]
        for f in files:
            name, program = os.path.basename(f), f[:-2]
            expected = open(re.sub(r"-\d+\.c$", ".out", f), "rb").read()
            if run(["gcc", *SANITIZED, f, "-o", program, "-lm"]).returncode != 0:
                bad.append(f"{name}: does not compile")
                continue
            try:
                done = run([program], timeout=60, stdin=subprocess.DEVNULL, env={"ASAN_OPTIONS": "detect_leaks=0"})
            except subprocess.TimeoutExpired:
                print("too slow:", name)
                continue
            compared += 1
            said = b"runtime error" in done.stderr or b"Sanitizer" in done.stderr
            if said or done.stdout != expected:
                errors = [line for line in done.stderr.decode(errors="replace").split("\n") if "rror" in line]
                bad.append(f"{name}: {(errors or ['other output'])[0][:200]}")
            os.remove(program)
    return [compared, bad]


def sanitize(a):
    compared = wrong = 0
    for _, (count, bad) in pieces(a, [(f"{a.n} {f}", lambda f=f: sanitized(a, f)) for f in a.files]):
        compared += count
        wrong += len(bad)
        for line in bad:
            print("differs:", line, flush=True)
    print(f"{compared} variants under gcc -O0 with sanitizers, {wrong} differ or are undefined")
    return 1 if wrong else 0


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


LEVELS = ["-O2", "-O1", "-Os", "-O3"]
# Canaries forget an instruction that computes or moves a value: what is missing then is a value, not the stack.
COMPUTES = re.compile(r"^(mov|add|sub|and|or|xor|sa[lr]|sh[lr]|ro[lr]|imul|i?div|lea|neg|not|set|cmov|sbb|adc|inc|dec|cvt|mul|p[a-z]+[bwdq]$)")
STACK = re.compile(r"%[re]?[sb]p\b")


def instructions(asm):
    """Number, shape and text of each line of code: the shape is the mnemonic with the kinds of its operands."""
    for number, line in enumerate(asm):
        if not line.startswith("\t") or line.startswith("\t."):
            if line.endswith(":"):
                yield number, None, line
            continue
        words = line.strip().split(None, 1)
        operands = re.split(r",\s*(?![^()]*\))", words[1]) if len(words) > 1 else []
        kind = lambda o: "i" if o.startswith("$") else "r" if o.startswith("%") else "m" if "(" in o else "l"
        yield number, words[0] + " " + "".join(map(kind, operands)), line


def idioms(asm):
    """Where each idiom stands: two instructions in a row, the second of which is the one to be forgotten."""
    found, before = {}, None
    for number, shape, line in instructions(asm):
        if shape and before and COMPUTES.match(shape) and not STACK.search(line):
            found.setdefault((before, shape), []).append(number)
        before = shape
    return found


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def assembly(path, level, d):
    """The lines of gcc's output, without what differs between programs of the same code."""
    out = os.path.join(d, "out.s")
    if run(["gcc", "-w", level, "-S", "-fno-asynchronous-unwind-tables", path, "-o", out]).returncode != 0:
        return []
    return open(out, errors="replace").read().split("\n")


def outcome(lines, d):
    """What the program of these lines does; None if there is none."""
    source, program = os.path.join(d, "planted.s"), os.path.join(d, "planted")
    with open(source, "w") as f:
        f.write("\n".join(lines))
    if run(["gcc", source, "-o", program, "-lm"]).returncode != 0:
        return None
    try:
        done = run([program], timeout=2, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return ("hang",)
    return (done.returncode, done.stdout)


def corpus_idioms(files, d):
    """The idioms of at least two files, sorted."""
    count = {}
    for n, f in enumerate(files):
        for idiom in idioms(assembly(f, LEVELS[n % 4], d)):
            count[idiom] = count.get(idiom, 0) + 1
    return sorted(idiom for idiom, n in count.items() if n > 1)


def programs(mix, files, d, rounds=100, each=4):
    """The seeds, then their variants by turns, each with a level: what a campaign would compile. Without a mix the
    seeds come again at the other levels, and then there is nothing more to do with them."""
    measure(["orion"], 0, files, "--write", d)
    seeds = sorted(glob.glob(d + "/*.seed.c"))
    for turn in range(1 if mix else 4):
        yield from ((f, LEVELS[(k + turn) % 4]) for k, f in enumerate(seeds))
    for number in range(rounds if mix else 0):
        made = os.path.join(d, str(number))
        os.mkdir(made)
        measure(mix, each, files, "--first", str(number * each), "--write", made)
        texts = sorted(f for f in glob.glob(made + "/*.c") if not f.endswith((".seed.c", ".wrong.c")))
        texts.sort(key=lambda f: int(re.search(r"-(\d+)\.c$", f).group(1)))
        yield from ((f, LEVELS[k % 4]) for k, f in enumerate(texts))


def caught(mix, files, wanted, seconds):
    """The canaries that programs of a mix find in so much CPU time, of making, compiling and running them. Trying the
    canaries costs nothing: each stands for a compiler of its own."""
    found, tries, used, tested = set(), {}, 0.0, 0
    with tempfile.TemporaryDirectory() as d:
        at = cpu()
        for path, level in programs(mix, files, d):
            lines = assembly(path, level, d)
            right = outcome(lines, d) if lines else None
            used += cpu() - at
            tested += 1
            here = idioms(lines) if right else {}
            for canary in sorted(wanted & here.keys() - found):
                if tries.get(canary, 0) < 6:
                    tries[canary] = tries.get(canary, 0) + 1
                    gone = set(here[canary])
                    if outcome([line for n, line in enumerate(lines) if n not in gone], d) not in (right, None):
                        found.add(canary)
            if used >= seconds:
                break
            at = cpu()
    return found, used, tested


def canaries(a):
    """Planted faults: a compiler forgets an instruction wherever it follows a certain other one. Which pairs is drawn
    from the code of a corpus, so that most need more than the seeds have."""
    corpus = sorted(glob.glob(os.path.join(a.corpus, "*.[ci]")))
    with tempfile.TemporaryDirectory() as d:
        known = corpus_idioms(corpus, d)
    draws = [set(random.Random(draw).sample(known, min(a.faults, len(known)))) for draw in (1, 2)]
    print(f"2 draws of {len(draws[0])} canaries from {len(known)} idioms in {len(corpus)} files; {len(a.files)} seeds; {a.seconds:g} s of CPU each", flush=True)
    alone = None
    published = ["orion", "athena", "hermes"]
    arms = [[]] + [[name] for name in published] + [published, [s for s in STRATEGIES if s != "sweep"], STRATEGIES]
    for mix in arms if not a.few else [[], STRATEGIES]:
        found, used, tested = caught(mix, a.files, set.union(*draws), a.seconds)
        alone = found if alone is None else alone
        name = "seeds alone" if not mix else "all but sweep" if "facts" in mix and "sweep" not in mix else title(mix)
        counts = [len(found & draw) for draw in draws]
        times = [f"{n / max(len(alone & draw), 1):.2f}" for n, draw in zip(counts, draws)]
        more = f", {' and '.join(times)} x the seeds alone, {len(found - alone)} others than theirs" if mix else ""
        print(f"{name:20} {counts[0]} and {counts[1]} found by {tested} programs in {used:.1f} s{more}", flush=True)


def tune(a):
    """Athena's parameters: idioms in the code of its variants that the seeds do not have. Each seed has variants of a
    first and a second set of numbers, so that two figures tell how much is chance."""
    base = {"sigma": 5, "alpha": 1, "beta": 1, "gamma": 0.1, "steps": 60}
    tried = [base]
    for name, values in [("sigma", [1, 20, 80]), ("alpha", [0, 4]), ("beta", [0, 4]), ("gamma", [0, 0.3, 1]), ("steps", [20, 180])]:
        tried += [{**base, name: value} for value in values]
    with tempfile.TemporaryDirectory() as d:
        measure(["orion"], 0, a.files, "--write", d)
        known = set()
        for f in glob.glob(d + "/*.seed.c"):
            known.update(*(idioms(assembly(f, level, d)) for level in LEVELS))
    for setting in tried:
        words = [w for name, value in setting.items() for w in ("--set", f"{name}={value}")]
        counts, size, at = [], 0, cpu()
        for first in (0, 1000):
            with tempfile.TemporaryDirectory() as d:
                measure(["athena"], a.n, a.files, "--unchecked", "--first", str(first), *words, "--write", d)
                files = sorted(f for f in glob.glob(d + "/*.c") if not f.endswith(".seed.c"))
                new = set()
                for k, f in enumerate(files):
                    new.update(idioms(assembly(f, LEVELS[k % 4], d)))
                    size += os.path.getsize(f)
                counts.append(len(new - known))
        shown = " ".join(f"{name}={value}" for name, value in setting.items())
        print(f"{shown:50} {counts[0]:4} {counts[1]:4} new idioms, {size / 1000 / (2 * len(files)):.0f} KB a variant, {cpu() - at:.0f} s", flush=True)


ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("what", choices=["speed", "validity", "sanitize", "reach", "survive", "canaries", "tune"])
ap.add_argument("-n", type=int, default=10, help="variants of each seed")
ap.add_argument("--few", action="store_true", help="orion, athena, hermes and all only")
ap.add_argument("--events", help="a tool that counts events of gcc's optimiser over C files")
ap.add_argument("--seconds", type=float, default=20, help="for canaries: CPU time of each arm")
ap.add_argument("--faults", type=int, default=200, help="for canaries: how many are planted")
ap.add_argument("--corpus", default="", help="for canaries: a directory of C files whose code the faults are drawn from")
ap.add_argument("--state", help="for validity and sanitize: a file of what is done, to go on after a stop")
ap.add_argument("--database", default="", help="a directory of C files whose statements Athena inserts too")
ap.add_argument("files", nargs="*")
a = ap.parse_intermixed_args()
if not a.files:
    ap.error("no files")
sys.exit(globals()[a.what](a))
