#!/usr/bin/env python3
"""Writes one figure of benches/RESULTS.md: benches/results/ID.json, with today's date and the commit.

usage: benches/record.py ID AREA CLAIM COMMAND REACH FIGURE [PEER]

Scripts of this directory call it at their end when RECORD=1 is in the environment. The table itself is made from
these files by `PLUMB_BLESS=1 cargo test -p plumb --test results`, and the same test holds that it fits them.
"""
import datetime, json, pathlib, re, subprocess, sys

if len(sys.argv) not in (7, 8):
    sys.exit(__doc__)
name, area, claim, command, reach, figure = sys.argv[1:7]
if not re.fullmatch(r"[a-z0-9][A-Za-z0-9-]*", name):
    sys.exit(f"record.py: `{name}` is no name for a file; expected letters, digits and hyphens")
here = pathlib.Path(__file__).resolve().parent
git = lambda *words: subprocess.run(["git", "-C", str(here), *words], capture_output=True, text=True).stdout.strip()
changed = "+" if git("status", "--porcelain", "--untracked-files=no", "--", "../crates") else ""
row = {
    "area": area, "claim": claim, "command": command, "reach": reach, "figure": figure,
    "peer": sys.argv[7] if len(sys.argv) == 8 else "",
    "date": datetime.date.today().isoformat(),
    "commit": git("rev-parse", "--short", "HEAD") + changed,
}
(here / "results").mkdir(exist_ok=True)
(here / "results" / f"{name}.json").write_text(json.dumps(row, indent=2, ensure_ascii=False) + "\n")
