#!/usr/bin/env python3
"""Asks `plumb prove` what a peer's suite knows: Alive2's pairs of LLVM functions with their expected answer.

usage: benches/judges.py --alive2 DIR [--timeout 10s] [--jobs N] [--only TEXT] [--keep FILE] [--plumb PROGRAM] [--names]

DIR is `tests/alive-tv` of a checkout of Alive2 (https://github.com/AliveToolkit/alive2); nothing of it is kept. A test
is a pair of files (.src.ll, .tgt.ll), one file with @src and @tgt, or @src1 and @tgt1 and so on (.srctgt.ll), or a file that means what it means
(.ident.ll); it is right unless a comment says `ERROR:`. What the peer itself does not decide (unsupported, out of
reach) and tests whose target is assembly are no judge and are counted apart. Tests that pass -disable-undef-input or
-disable-poison-input assume something of the inputs and are named with their result, not judged.

Prints the confusion matrix, and by name: wrong pairs accepted, right pairs refuted. --keep writes a JSON line a test.
"""
import argparse, collections, json, os, pathlib, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

here = pathlib.Path(__file__).resolve().parent
flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
flags.add_argument("--alive2", type=pathlib.Path, required=True)
flags.add_argument("--timeout", default="10s")
flags.add_argument("--jobs", type=int, default=os.cpu_count())
flags.add_argument("--only", default="")
flags.add_argument("--keep", type=pathlib.Path)
flags.add_argument("--plumb")
flags.add_argument("--names", action="store_true", help="also name right pairs that stay open, with the reason")
given = flags.parse_args()
if not given.alive2.is_dir():
    sys.exit(f"judges.py: {given.alive2} is no directory; expected tests/alive-tv of a checkout of Alive2")
plumb = given.plumb and str(pathlib.Path(given.plumb).resolve())
if not plumb:
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "plumb"], cwd=here.parent, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", here.parent / "target"))
    plumb = str(target / "release" / "plumb")

# Answers of the peer that say nothing about the pair.
OPEN = re.compile(r"Unsupported|Couldn't prove|doesn't reach a return|guardable|reachable unreachable|Target returns|Source returns")
ASSUMED = re.compile(r"-disable-(undef|poison)-input|-disallow-ub-exploitation|-max-offset-in-bits|-bidirectional|-func=")


def without(text, name):
    """The module without the definition of a function: lines from its `define` to the closing brace."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if re.match(r"define\b.*@%s\s*\(" % re.escape(name), line):
            inside = True
        if not inside:
            kept.append(line)
        if inside and line.startswith("}"):
            inside = False
    return "".join(kept)


def called(text, old, new):
    return re.sub(r"@%s\b" % re.escape(old), "@" + new, text)


def sides(path):
    """The two modules of a test and the functions to compare, or None where there is no second file."""
    text = path.read_text(errors="replace")
    name = path.name
    if name.endswith(".srctgt.ll"):
        left, right, functions = text, text, []
        for which in re.findall(r"define\b[^@\n]*@src([\w.]*)\s*\(", text):
            if re.search(r"define\b[^@\n]*@tgt%s\s*\(" % re.escape(which), text):
                left = without(left, "tgt" + which)
                right = called(without(right, "src" + which), "tgt" + which, "src" + which)
                functions.append("src" + which)
        return text, left, right, functions or ["src"]
    if name.endswith(".src.ll"):
        other = path.with_name(name.replace(".src.ll", ".tgt.ll"))
        return (text, text, other.read_text(errors="replace"), []) if other.exists() else None
    return text, text, text, []


def expected(text):
    told = re.search(r";\s*ERROR:\s*(.*)", text)
    words = re.search(r"(?:;|//)\s*TEST-ARGS:(.*)", text)
    if words and "-tgt-is-asm" in words.group(1):
        return "no judge"
    if words and ASSUMED.search(words.group(1)):
        return "assumed"
    if re.search(r";\s*(XFAIL|XPASS|CHECK|CHECK-NOT):", text):
        return "no judge"
    if not told:
        return "right"
    return "no judge" if OPEN.search(told.group(1)) else "wrong"


RANK = ["refuted", "unsupported", "unknown", "bounded", "conditional", "proved"]


def ask(path):
    made = sides(path)
    if made is None:
        return None
    text, left, right, functions = made
    want = expected(text)
    entry = {"test": str(path.relative_to(given.alive2)), "expected": want}
    work = tempfile.mkdtemp()
    try:
        (pathlib.Path(work) / "a.ll").write_text(left)
        (pathlib.Path(work) / "b.ll").write_text(right)
        words = [plumb, "prove", "--json", "--timeout", given.timeout, "--jobs", "1"]
        for function in functions:
            words += ["--function", function]
        done = subprocess.run(words + ["a.ll", "b.ll"], cwd=work, capture_output=True, text=True)
        entry["exit"] = done.returncode
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        found = [line for line in lines if line.get("type") == "function"]
        if not found:
            entry["verdict"] = "error"
            entry["why"] = (done.stderr.strip().splitlines() or ["no answer"])[-1].replace(work + "/", "")[:300]
            return entry
        worst = min(found, key=lambda line: RANK.index(line["verdict"]))
        entry["verdict"] = worst["verdict"]
        for key in ("assumptions", "reason", "unsupported", "ended", "ms"):
            if worst.get(key):
                entry[key] = worst[key]
        shown = worst.get("counterexample") or {}
        if shown:
            entry["differences"] = shown.get("differences")
            entry["natively"] = (shown.get("natively") or {}).get("finding")
    finally:
        shutil.rmtree(work)
    return entry


paths = sorted(p for p in given.alive2.rglob("*.ll") if re.search(r"\.(srctgt|src|ident)\.ll$", p.name) and given.only in str(p))
with ThreadPoolExecutor(given.jobs) as pool:
    entries = [entry for entry in pool.map(ask, paths) if entry]
if given.keep:
    given.keep.write_text("".join(json.dumps(entry) + "\n" for entry in entries))

columns = ["proved", "conditional", "bounded", "refuted", "unknown", "unsupported", "error"]
print("| Expected | Pairs | " + " | ".join(columns) + " |")
print("|---" * (len(columns) + 2) + "|")
for want in ("right", "wrong", "assumed", "no judge"):
    of = [entry for entry in entries if entry["expected"] == want]
    count = collections.Counter(entry["verdict"] for entry in of)
    print(f"| {want} | {len(of)} | " + " | ".join(str(count[c]) for c in columns) + " |")


def share(want, verdicts):
    of = [entry for entry in entries if entry["expected"] == want]
    return 100 * sum(entry["verdict"] in verdicts for entry in of) / max(1, len(of))


def why(entry):
    if entry["verdict"] == "conditional":
        return "assumes " + ", ".join(a["name"] if isinstance(a, dict) and "name" in a else str(a) for a in entry.get("assumptions", []))
    return str(entry.get("differences") or entry.get("unsupported") or entry.get("reason") or entry.get("why") or "")


if os.environ.get("RECORD") == "1" and not given.only:
    def shown(want):
        of = collections.Counter(entry["verdict"] for entry in entries if entry["expected"] == want)
        return of["proved"] + of["conditional"] + of["bounded"], of["refuted"], sum(of.values())

    (right, false, rights), (accepted, refuted, wrongs) = shown("right"), shown("wrong")
    reach = f"{rights} right pairs, {wrongs} wrong ones, {given.timeout} each"
    figure = f"right: {right} accepted, {false} refuted; wrong: {refuted} refuted, {accepted} accepted (all named in the output)"
    subprocess.run([sys.executable, str(here / "record.py"), "prove-judges-alive2", "Proving", "verdicts on a peer's suite",
                    "benches/judges.py --alive2 DIR", reach, figure], check=True)

print(f"\nright pairs proved or conditional: {share('right', ('proved', 'conditional')):.1f} %")
print(f"wrong pairs refuted: {share('wrong', ('refuted',)):.1f} %")
for title, want, verdicts in [("wrong pairs accepted", "wrong", ("proved", "conditional", "bounded")), ("right pairs refuted", "right", ("refuted",))]:
    of = [entry for entry in entries if entry["expected"] == want and entry["verdict"] in verdicts]
    print(f"\n{title}: {len(of)}")
    for entry in of:
        print(f"  {entry['test']}: {entry['verdict']} {why(entry)[:200]}")
if given.names:
    print("\nright pairs that stay open")
    reasons = collections.defaultdict(list)
    for entry in entries:
        if entry["expected"] in ("right", "wrong") and entry["verdict"] in ("unknown", "unsupported", "error"):
            reasons[f"{entry['verdict']}: {re.sub(r'[0-9]+', 'N', why(entry))[:110]}"].append(entry["test"])
    for reason, tests in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(tests):5} {reason}   [{tests[0]}]")
