#!/bin/sh
# Puts faults into objects of C projects from crates and counts those that `plumb diff` calls equivalent although a run tells
# them apart.
#
#   benches/inject.sh [--cc 'gcc-12 -O2'] [--old 'gcc-11 -O2'] [--projects 'zlib lz4 lua'] [--count N] [--seed N]
#                     [--states N] [--timeout TIME] [--work DIR] [--plumb FILE]
#
# The faulty side is made by --cc, the sound one by --old (default: by --cc, too). Each project gets its share of the N faults.
# RECORD=1 keeps the counts as a figure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/sources.sh"

cc='gcc-12 -O2' old='' projects='zlib lz4 lua' count=500 seed=1 states=1000 timeout=5s
work=/tmp/plumb-inject plumb=$here/../target/release/plumb
options 10 'cc old projects count seed states timeout work plumb' "$@"
LZ4='lz4-sys = "=1.11.1"'
fetch_sources "$work" "$ZLIB" "$LUA" "$BZIP2" "$LZ4"
cd "$work"
rm -rf out && mkdir out

# archive PROJECT SIDE COMMAND: the project's objects in an archive.
archive() {
    mkdir -p "out/$1.$2"
    case $1 in
        lz4) ls "$(source_of lz4-sys)"/liblz4/lib/*.c ;;
        *) words_of "$1" ;;
    esac > "out/$1.words"
    flags=$(grep -v '\.c$' "out/$1.words" || true)
    grep '\.c$' "out/$1.words" | while read -r file; do
        # The command and the options hold words.
        # shellcheck disable=SC2086
        $3 -g -w -c $flags "$file" -o "out/$1.$2/$(basename "$file" .c).o" || echo "$file does not compile" >&2
    done
    ar rcD "out/$1.$2.a" "out/$1.$2"/*.o
}

# shellcheck disable=SC2086
set -- $projects
share=$(((count + $# - 1) / $#))
for project in "$@"; do
    archive "$project" new "$cc"
    against=''
    if [ -n "$old" ]; then
        archive "$project" old "$old"
        against="--old out/$project.old.a"
    fi
    # shellcheck disable=SC2086
    ending_with '0 1 5' "$plumb" inject "out/$project.new.a" $against --diff --count "$share" --seed "$seed" \
        --states "$states" --timeout "$timeout" --json > "out/$project.jsonl"
done
python3 - "$here" "$cc" "$old" "$count" "$seed" "$states" "$timeout" "$projects" <<'PY'
import collections, json, os, re, subprocess, sys
here, cc, old, count, seed, states, timeout, projects = sys.argv[1:]
outcomes, kinds, why = collections.Counter(), collections.defaultdict(collections.Counter), collections.Counter()
blames = collections.Counter()
for project in projects.split():
    for line in map(json.loads, open(f"out/{project}.jsonl")):
        if line["type"] != "fault":
            continue
        outcome = line["outcome"]
        outcomes[outcome] += 1
        kinds[line["fault"]["kind"]][outcome] += 1
        if line["blame"]:
            blames[line["blame"]] += 1
        if line["why"]:
            why[line["why"]] += 1
        if outcome in ("missed", "not-run"):
            print(f"{project}: {json.dumps(line)}")
told = lambda counts: ", ".join(f"{n} {name}" for name, n in counts.most_common())
for kind, counts in sorted(kinds.items()):
    print(f"{kind:12} {sum(counts.values()):5}: {told(counts)}")
faults = sum(outcomes.values())
print(f"{faults} faults: {told(outcomes)}; open: {told(why)}; blamed instruction: {told(blames)}")
if os.environ.get("RECORD") == "1":
    sides = f"{old} against {cc}" if old else cc
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"inject-{sides}").strip("-")
    command = f"benches/inject.sh --cc '{cc}'" + (f" --old '{old}'" if old else "") + \
        f" --count {count} --seed {seed} --states {states} --timeout {timeout} --projects '{projects}'"
    claim = f"{faults} faults put into {len(projects.split())} C projects ({sides}): called equivalent, and told apart by a run"
    figure = f"{outcomes['missed']} missed; {told(outcomes)}; blamed instruction: {told(blames)}"
    subprocess.run([f"{here}/record.py", name, "Machine code", claim, command, "0", figure], check=True)
PY
