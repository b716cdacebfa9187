#!/bin/sh
# CPU time of preprocessing: plumb's own preprocessor, gcc -E and tcc -E, each as a process, in the same call.
# Usage: benches/preprocess.sh [ROUNDS] FILE.c [-I DIR ...]; without a file, a csmith program of seed 1 and sqlite3.c
# from the cargo registry. What gcc says of itself is asked once, as plumb does.
set -eu
cd "$(dirname "$0")/.."
cargo build --release -q -p plumb-preprocess --example cpp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpp=target/release/examples/cpp
$cpp --ask >"$work/facts"


# measure ROUNDS NAME COMMAND...
measure() {
    rounds=$1 name=$2
    shift 2
    if ! command -v "$1" >/dev/null; then
        echo "  $name: not installed"
        return
    fi
    times >"$work/before"
    n=0
    while [ $n -lt "$rounds" ]; do
        "$@" >"$work/out" 2>/dev/null || { echo "  $name: fails"; return; }
        n=$((n + 1))
    done
    times >"$work/after"
    awk -v name="$name" -v rounds="$rounds" '
        { gsub(/[ms]/, " "); split($0, t, " "); total[FILENAME] = t[1] * 60 + t[2] + t[3] * 60 + t[4] }
        END { printf "  %-8s %8.2f ms\n", name, (total[ARGV[2]] - total[ARGV[1]]) * 1000 / rounds }
    ' "$work/before" "$work/after"
}

all() {
    rounds=$1 file=$2
    shift 2
    echo "$(basename "$file"), $(wc -c <"$file") bytes, mean CPU of $rounds runs:"
    measure "$rounds" plumb "$cpp" --facts "$work/facts" "$@" "$file"
    measure "$rounds" gcc gcc -E "$@" "$file"
    measure "$rounds" tcc tcc -E "$@" "$file"
}

rounds=50
case ${1:-} in
[0-9]*) rounds=$1; shift ;;
esac
if [ $# -gt 0 ]; then
    all "$rounds" "$@"
    exit
fi
csmith --no-float --seed 1 >"$work/csmith-1.c"
all "$rounds" "$work/csmith-1.c" -I/usr/include/csmith
for file in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/libsqlite3-sys-*/sqlite3/sqlite3.c; do
    all 10 "$file"
    break
done
