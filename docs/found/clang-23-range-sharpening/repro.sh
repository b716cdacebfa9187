#!/bin/sh
# crash: clang-23 -Os -mllvm -scalar-evolution-use-expensive-range-sharpening=true, seed 917199, variant 1 (aggregate, athena, cases, facts, hermes, identity, orion, outline, sweep, unroll)
# the compiler crashed: PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace and dumped files.
# Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.
cd "$(dirname "$0")" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
# CPU time decides, so that a busy machine changes nothing; the clock only ends what waits for ever.
ulimit -S -t 4 2>/dev/null
if command -v timeout >/dev/null 2>&1; then limit='timeout 40'; else limit=; fi
late() { [ "$1" -eq 124 ] || [ "$1" -eq 152 ] || grep -q -i 'cpu time limit exceeded' "$tmp/messages"; }

echo "compiler: Debian clang version 23.1.4 (2)"
: >"$tmp/messages"
compiled=0
$limit clang-23 -Os -mllvm '-scalar-evolution-use-expensive-range-sharpening=true' -w program.c -o "$tmp/program" -lm >>"$tmp/messages" 2>&1 || compiled=$?
head -n 20 "$tmp/messages"

echo "expected: the compiler translates the program or refuses it with an error message"
echo "actual:   exit status $compiled (clang: crash pass slp-vectorizer)"
if late $compiled; then echo 'it ran out of time'; exit 2; fi
if [ $compiled -ge 126 ] || grep -v 'compiler error: too many errors' "$tmp/messages" | grep -q -i -E \
  'internal compiler error|signal terminated program|Assertion .* failed|UNREACHABLE executed|error in backend|LLVM ERROR|Bad machine code|PLEASE submit a bug report|Stack dump:|frontend command failed|unable to execute command|internal (compiler )?error|compiler error:|Compiler Internal Error|Assembler messages'
then echo 'the bug shows'; exit 1; fi
echo 'the bug does not show'
