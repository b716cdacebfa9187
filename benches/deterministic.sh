#!/bin/sh
# Proves lua and zlib at -O2 on an idle machine and on a busy one, with one job and with two, and compares what is
# reported: but for times and memory the JSON lines have to be the same, byte by byte.
#
#   benches/deterministic.sh [--projects 'zlib lua'] [--cc clang-19] [--level 2] [--timeout 60s] [--load N]
#                            [--sample N] [--seed N] [--reports DIR]
#
# --load is the number of busy loops beside the second and third run; without it twice the processors.
# A function that was ended by the ceiling on time in either run is listed and not compared: with more time its verdict
# may become another. Ends with an error where anything else differs.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
projects='zlib lua' cc=clang-19 level=2 timeout=60s load=$((2 * $(nproc))) sample='' seed=1 reports=''
. "$here/benches/sources.sh"
options 11 'projects cc level timeout load sample seed reports' "$@"

work=$(mktemp -d)
loops=''
quiet() {
    for pid in $loops; do kill "$pid" 2> /dev/null || true; done
    loops=''
}
trap 'quiet; rm -rf "$work"' EXIT INT TERM
[ -n "$reports" ] || reports=$work/reports
mkdir -p "$reports"

(cd "$here" && cargo build --release --quiet -p plumb)
plumb=$(release_dir)/plumb
fetch_sources "$work" "$ZLIB" "$LUA" "$SQLITE" "$BZIP2" "$ZSTD"

# Proves a project: its name, jobs, where the report goes.
prove() {
    words_of "$1" > "$work/words"
    out=$3 jobs=$2
    set -- prove --json --timeout "$timeout" --cc "$cc" "-O$level" --seed "$seed" --jobs "$jobs"
    [ -z "$sample" ] || set -- "$@" --sample "$sample"
    while IFS= read -r word; do set -- "$@" "$word"; done < "$work/words"
    "$plumb" "$@" > "$out" 2> "$out.log" || [ $? -ne 2 ] || { cat "$out.log" >&2; exit 2; }
}

for project in $projects; do
    prove "$project" 1 "$reports/$project-idle-1.jsonl"
    for n in $(seq "$load"); do
        while :; do :; done &
        loops="$loops $!"
    done
    prove "$project" 1 "$reports/$project-busy-1.jsonl"
    prove "$project" 2 "$reports/$project-busy-2.jsonl"
    quiet
    prove "$project" 2 "$reports/$project-idle-2.jsonl"
done

python3 "$here/benches/deterministic.py" "$reports" $projects
