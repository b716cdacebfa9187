#!/usr/bin/env bash
# A farm that others wrote: BuildGrid from PyPI with PostgreSQL, and bots of remote-bot.py, for a hunt with --executor. Says
# how long a hunt takes here, at the farm, and at the farm again (from its cache), and whether the findings are the same.
# usage: benches/remote.sh [PROGRAMS] [BOTS]     needs PostgreSQL (Debian: postgresql), gcc and Python with venv
# RECORD=1 in the environment writes the figures of RESULTS.md; PLUMB names a plumb that is built already; BUILDGRID a
# directory of a virtual environment that has it, or is made to.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=${1:-40} bots=${2:-$(nproc)}
work=$(mktemp -d)
chmod 755 "$work"
started=()
trap 'for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || :; done; wait; rm -rf "$work"' EXIT
record() { if [ "${RECORD:-}" = 1 ]; then benches/record.py "$@"; fi }
fail() { echo "remote.sh: $1" >&2; [ $# -lt 2 ] || tail -n 20 "$2" >&2; exit 1; }

plumb=${PLUMB:-}
if [ -z "$plumb" ]; then cargo build --quiet --release -p plumb; plumb=target/release/plumb; fi
plumb=$(realpath "$plumb")
venv=${BUILDGRID:-$work/venv}
[ -x "$venv/bin/bgd" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "buildgrid[database]"; } || fail 'buildgrid cannot be installed from PyPI'
version=$("$venv/bin/pip" show buildgrid | awk '/^Version:/ { print $2 }')

# The database that BuildGrid keeps its jobs in.
postgres=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
mkdir "$work/data"
as=()
if [ "$(id -u)" = 0 ]; then chown nobody "$work/data"; as=(setpriv --reuid=nobody --clear-groups --); fi
"${as[@]}" "$postgres/initdb" -A trust -U bgd -N -D "$work/data" >"$work/initdb.log" 2>&1 || fail 'initdb failed' "$work/initdb.log"
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
database=$(port) farm=$(port)
"${as[@]}" "$postgres/postgres" -D "$work/data" -p "$database" -k '' -c listen_addresses=127.0.0.1 -c fsync=off >"$work/postgres.log" 2>&1 &
started+=($!)
url=postgresql+psycopg2://bgd@127.0.0.1:$database/postgres
for _ in $(seq 100); do "$postgres/pg_isready" -q -h 127.0.0.1 -p "$database" && break; sleep 0.1; done
"$venv/bin/bgd" migrate apply "$url" >"$work/migrate.log" 2>&1 || fail 'the tables of BuildGrid were not made' "$work/migrate.log"

cat >"$work/farm.yml" <<END
server:
  - !channel
    address: 127.0.0.1:$farm
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: $url
    pool-size: 20
    max-overflow: 40
storages:
  - !lru-storage &storage
    size: 512M
caches:
  - !lru-action-cache &cache
    storage: *storage
    max-cached-refs: 100000
    allow-updates: true
    cache-failed-actions: false
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    action-cache: *cache
    storage: *storage
    property-set:
      !dynamic-property-set
      match-property-keys: [compiler]
    assigners:
      - !priority-age-assigner
        count: 2
        interval: 0.05
instances:
  - name: ''
    services:
      - !action-cache
        cache: *cache
      - !execution
        scheduler: *scheduler
      - !cas
        storage: *storage
thread-pool-size: 100
END
"$venv/bin/bgd" server start "$work/farm.yml" >"$work/farm.log" 2>&1 &
started+=($!)
compiler=$(gcc --version | head -n 1)
"$venv/bin/python" benches/remote-bot.py "127.0.0.1:$farm" '' "$bots" "compiler=$compiler" >"$work/bots.log" 2>&1 &
started+=($!)
for _ in $(seq 300); do
    (exec 3<>"/dev/tcp/127.0.0.1/$farm") 2>/dev/null && break
    kill -0 "${started[1]}" 2>/dev/null || fail 'BuildGrid did not start' "$work/farm.log"
    sleep 0.1
done
sleep 2

# Each in a store of its own, so that nothing is known but to the farm.
hunt() {
    local store=$1 begun=$EPOCHREALTIME code=0
    shift
    "$plumb" hunt --json --cc gcc --levels=-O0,-O2 --programs "$programs" --jobs $((2 * bots)) --store "$work/$store" "$@" \
        >"$work/$store.json" 2>"$work/$store.log" || code=$?
    [ "$code" -le 1 ] || { tail -n 5 "$work/farm.log" "$work/bots.log" >&2; fail "the hunt ended with $code" "$work/$store.log"; }
    awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}
told() { python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
for row in sorted((r for r in rows if r["type"] == "program"), key=lambda r: r["seed"]):
    print(row["seed"], row["verdict"], [n["why"] for n in row["not_passed"]], [f["signature"] for f in row["findings"]])
' "$work/$1.json"; }
here=$(hunt here)
there=$(hunt there --executor "grpc://127.0.0.1:$farm")
again=$(hunt again --executor "grpc://127.0.0.1:$farm")
same=the\ same
for store in there again; do [ "$(told here)" = "$(told "$store")" ] || same=OTHERS; done
figure="$programs programs in 2 configurations: here $here s, at the farm ($bots bots) $there s, from its cache $again s; verdicts: $same"
echo "BuildGrid $version: $figure"
[ "$same" = 'the same' ] || exit 1
record remote-buildgrid Fleets 'a hunt whose programs BuildGrid has compiled and run: time, and verdicts against those of this machine' \
    benches/remote.sh 'the same verdicts' "$figure" "BuildGrid $version"
