#!/bin/sh
# wrong-code: gcc-16 -O1 -fgraphite-identity, seed 917240, variant 1 (aggregate, athena, cases, facts, hermes, identity, orion, outline, sweep, unroll, zero)
# line 1 of the output: expected `1`, got `0`
# Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.
cd "$(dirname "$0")" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
# CPU time decides, so that a busy machine changes nothing; the clock only ends what waits for ever.
ulimit -S -t 2 2>/dev/null
if command -v timeout >/dev/null 2>&1; then limit='timeout 20'; else limit=; fi
late() { [ "$1" -eq 124 ] || [ "$1" -eq 152 ] || grep -q -i 'cpu time limit exceeded' "$tmp/messages"; }

echo "compiler: gcc-16 (Debian 16.2.0-4) 16.2.0"
: >"$tmp/messages"
compiled=0
$limit gcc-16 -O1 -fgraphite-identity -w program.c -o "$tmp/program" -lm >>"$tmp/messages" 2>&1 || compiled=$?
head -n 20 "$tmp/messages"

if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi
$limit "$tmp/program" </dev/null >"$tmp/stdout"
ended=$?
if late $ended; then echo 'it ran out of time'; exit 2; fi
echo 'expected: exit status 0 and this output'
head -c 2000 expected-stdout
echo "actual:   exit status $ended and this output"
head -c 2000 "$tmp/stdout"
if [ $ended -eq 0 ] && cmp -s expected-stdout "$tmp/stdout"
then echo 'the bug does not show'; exit 0; fi
echo 'the bug shows'
exit 1
