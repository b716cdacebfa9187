#!/bin/sh
# false-sanitizer-report: gcc-16 -fsanitize=address,undefined, seeds16/c-c++-common_fam-in-union-alone-in-struct-2.c, variant 7 (proteus)
# a defined program is said to be undefined: UndefinedBehaviorSanitizer: load of address 0x5555555582a4 with insufficient space for an object of type 'int'
# Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.
cd "$(dirname "$0")" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
# CPU time decides, so that a busy machine changes nothing; the clock only ends what waits for ever.
ulimit -S -t 2 2>/dev/null
if command -v timeout >/dev/null 2>&1; then limit='timeout 20'; else limit=; fi
late() { [ "$1" -eq 124 ] || [ "$1" -eq 152 ] || grep -q -i 'cpu time limit exceeded' "$tmp/messages"; }

export ASAN_OPTIONS=detect_leaks=0:exitcode=99:handle_segv=0:handle_sigbus=0:handle_sigfpe=0
export UBSAN_OPTIONS=halt_on_error=1:exitcode=99
echo "compiler: gcc-16 (Debian 16.2.0-4) 16.2.0"
: >"$tmp/messages"
compiled=0
$limit gcc-16 '-fsanitize=address,undefined' -w -c unit-0.c -o "$tmp/program-0.o" >>"$tmp/messages" 2>&1 || compiled=$?
[ $compiled -ne 0 ] || $limit gcc-16 '-fsanitize=address,undefined' -w -c unit-1.c -o "$tmp/program-1.o" >>"$tmp/messages" 2>&1 || compiled=$?
[ $compiled -ne 0 ] || $limit gcc-16 '-fsanitize=address,undefined' -w "$tmp/program-0.o" "$tmp/program-1.o" -o "$tmp/program" -lm >>"$tmp/messages" 2>&1 || compiled=$?
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
