#!/bin/sh
# volatile: gcc -O1, seed 19
# volatile object b: 0 reads and 2 writes expected, 0 and 3 seen (more-writes, first otherwise at access 3)
# Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.
cd "$(dirname "$0")" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
# CPU time decides, so that a busy machine changes nothing; the clock only ends what waits for ever.
ulimit -S -t 12 2>/dev/null
if command -v timeout >/dev/null 2>&1; then limit='timeout 120'; else limit=; fi
late() { [ "$1" -eq 124 ] || [ "$1" -eq 152 ] || grep -q -i 'cpu time limit exceeded' "$tmp/messages"; }

echo "compiler: gcc (Debian 12.2.0-14+deb12u1) 12.2.0"
: >"$tmp/messages"
compiled=0
$limit gcc -O1 -w program.c -o "$tmp/program" -lm >>"$tmp/messages" 2>&1 || compiled=$?
head -n 20 "$tmp/messages"

if [ $compiled -ne 0 ]; then echo 'the compiler failed'; exit 2; fi
cat >"$tmp/trace.c" <<'END'
/* Runs a program of x86-64 and prints a line for each instruction that accesses SIZE bytes at ADDRESS (as in the file):
   `w VALUE` for one that writes, `r` for one that only reads. Usage: trace ADDRESS SIZE PROGRAM ARGUMENT... */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
static pid_t pid;
static void put(size_t at, unsigned long value) { if (ptrace(PTRACE_POKEUSER, pid, at, value)) { perror("ptrace"); exit(2); } }
static unsigned long get(size_t at) { return ptrace(PTRACE_PEEKUSER, pid, at, 0); }
static unsigned long word(unsigned long at) { return ptrace(PTRACE_PEEKDATA, pid, at, 0); }
#define DR(n) (offsetof(struct user, u_debugreg) + 8 * (n))
#define REG(name) offsetof(struct user, regs.name)
int main(int argc, char **argv) {
    if (argc < 4) return 2;
    unsigned long at = strtoul(argv[1], 0, 16), size = atoi(argv[2]), length = size == 8 ? 2 : size - 1;
    Elf64_Ehdr head;
    int status, signal = 0, file = open(argv[3], O_RDONLY);
    if (read(file, &head, sizeof head) != sizeof head) return 2;
    if ((pid = fork()) == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) execv(argv[3], argv + 3);
        _exit(127);
    }
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) return 2;
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);
    unsigned long stack = get(REG(rsp)), entry = 0;
    for (stack += 8 * (word(stack) + 2); word(stack); stack += 8) ;
    for (stack += 8; word(stack); stack += 16)
        if (word(stack) == AT_ENTRY) entry = word(stack + 8);
    unsigned long code = word(entry);
    ptrace(PTRACE_POKETEXT, pid, entry, (code & ~0xfful) | 0xcc);
    ptrace(PTRACE_CONT, pid, 0, 0);
    if (waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status)) return 2;
    ptrace(PTRACE_POKETEXT, pid, entry, code);
    put(REG(rip), entry);
    at += entry - head.e_entry;
    put(DR(0), at);
    put(DR(1), at);
    put(DR(7), 5 | (length << 2 | 1) << 16 | (length << 2 | 3) << 20);
    for (;;) {
        if (ptrace(PTRACE_CONT, pid, 0, signal) || waitpid(pid, &status, 0) < 0) return 2;
        if (!WIFSTOPPED(status)) return 0;
        if ((signal = WSTOPSIG(status)) != SIGTRAP) continue;
        signal = 0;
        unsigned long hit = get(DR(6)), value = word(at & ~7ul) >> 8 * (at & 7);
        put(DR(6), 0);
        if (size < 8) value &= (1ul << 8 * size) - 1;
        if (hit & 1) printf("w %lx\n", value);
        else if (hit & 2) printf("r\n");
    }
}
END
${TRACE_CC:-cc} -w "$tmp/trace.c" -o "$tmp/trace" || { echo 'no tracer'; exit 2; }
cat >"$tmp/values" <<'END'
w 0
w 0
END
echo 'expected: 0 reads and 2 writes of the volatile object b, byte 0'
at=$(nm "$tmp/program" | awk '$3 == "b" { print $1 }')
if [ -z "$at" ]; then echo 'actual:   it is not in the program'; [ 2 -eq 0 ] && exit 0
echo 'the bug shows'; exit 1; fi
at=$(printf %x $((0x$at + 0)))
$limit "$tmp/trace" "$at" 4 "$tmp/program" </dev/null >"$tmp/accesses"
if [ $? -ne 0 ]; then echo 'programs cannot be traced here, or it did not end'; exit 2; fi
grep '^w' "$tmp/accesses" >"$tmp/written"
instructions=$(grep -c . "$tmp/accesses") written=$(grep -c . "$tmp/written")
echo "actual:   $instructions instructions access it, $written of them write"
# One instruction may both read and write: 0 did.
if [ "$written" -ne 2 ] || { [ "$instructions" -ne 2 ] && [ $((instructions + 0)) -ne 2 ]; } ||
  { [ 'yes' ] && ! cmp -s "$tmp/values" "$tmp/written"; }
then echo 'the bug shows'; exit 1; fi
echo 'the bug does not show'; exit 0
