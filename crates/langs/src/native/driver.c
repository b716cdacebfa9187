/* Runs a compiled function on the inputs of a counterexample, and prints what it did, line by line. It stands alone: the
   program under test may bring its own `memcpy` or `write`. What differs between counterexamples are the tables, which
   come before this text: plumb_pages, plumb_bytes, plumb_fill, plumb_functions, plumb_answers, plumb_input, plumb_stack,
   and their lengths. */

static unsigned char plumb_before(unsigned long at) {
  long lo = 0, hi = plumb_bytes_length;
  while (lo < hi) {
    long mid = (lo + hi) / 2;
    if (plumb_bytes[mid].at < at) lo = mid + 1;
    else hi = mid;
  }
  return lo < plumb_bytes_length && plumb_bytes[lo].at == at ? plumb_bytes[lo].value : plumb_fill;
}

static int plumb_is_code(unsigned long at) {
  for (long i = 0; i < plumb_functions_length; i++)
    if (at - plumb_functions[i] < 19) return 1;
  return 0;
}

/* The bytes that are no longer what they were. */
static void plumb_memory(void) {
  for (long i = 0; i < plumb_pages_length; i++)
    for (unsigned long at = plumb_pages[i]; at < plumb_pages[i] + 4096; at++) {
      unsigned char now = *(volatile unsigned char *)at;
      if (now != plumb_before(at) && !plumb_is_code(at)) {
        plumb_word("byte");
        plumb_number(at);
        plumb_number(now);
        plumb_flush();
      }
    }
}

struct plumb_registers {
  unsigned long rdi, rsi, rdx, rcx, r8, r9, rax, *stack;
  unsigned long xmm[8][2];
};

static long plumb_events;

void plumb_seen(unsigned long index, struct plumb_registers *r) {
  plumb_word("call");
  plumb_number(index);
  unsigned long gpr[7] = {r->rdi, r->rsi, r->rdx, r->rcx, r->r8, r->r9, r->rax};
  for (int i = 0; i < 7; i++) plumb_number(gpr[i]);
  for (int i = 0; i < 8; i++) {
    plumb_number(r->xmm[i][0]);
    plumb_number(r->xmm[i][1]);
  }
  for (int i = 0; i < 16; i++) plumb_number(r->stack[i]);
  plumb_flush();
  if (plumb_events >= plumb_answers_length) {
    /* Here the two sides part at the latest. */
    plumb_memory();
    plumb_text("stopped\n");
    plumb_exit(0);
  }
  const unsigned long *answer = plumb_answers[plumb_events++];
  r->rax = answer[0];
  r->rdx = answer[1];
  r->rcx = answer[2];
  r->xmm[0][0] = answer[3];
  r->xmm[0][1] = answer[4];
  r->xmm[1][0] = answer[5];
  r->xmm[1][1] = answer[6];
}

/* Stubs come here with their number in r11. */
void plumb_stub(void);
__asm__(".text\n"
        "plumb_stub:\n"
        "  pushq %rbp\n  movq %rsp,%rbp\n  leaq 16(%rbp),%r10\n  subq $256,%rsp\n  andq $-16,%rsp\n"
        "  movq %rdi,0(%rsp)\n  movq %rsi,8(%rsp)\n  movq %rdx,16(%rsp)\n  movq %rcx,24(%rsp)\n"
        "  movq %r8,32(%rsp)\n  movq %r9,40(%rsp)\n  movq %rax,48(%rsp)\n  movq %r10,56(%rsp)\n"
        "  movups %xmm0,64(%rsp)\n  movups %xmm1,80(%rsp)\n  movups %xmm2,96(%rsp)\n  movups %xmm3,112(%rsp)\n"
        "  movups %xmm4,128(%rsp)\n  movups %xmm5,144(%rsp)\n  movups %xmm6,160(%rsp)\n  movups %xmm7,176(%rsp)\n"
        "  movq %r11,%rdi\n  movq %rsp,%rsi\n  call plumb_seen\n"
        "  movq 48(%rsp),%rax\n  movq 16(%rsp),%rdx\n  movq 24(%rsp),%rcx\n"
        "  movups 64(%rsp),%xmm0\n  movups 80(%rsp),%xmm1\n  leave\n  ret\n");

/* Calls the function with plumb_input, and keeps what it returns in plumb_output. */
unsigned long plumb_output[7];
void plumb_call(const unsigned long *input, const unsigned long *stack, unsigned long words);
__asm__("plumb_call:\n"
        "  pushq %rbp\n  movq %rsp,%rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rdi,%rbx\n  leaq (,%rdx,8),%rax\n  subq %rax,%rsp\n  andq $-64,%rsp\n"
        "  xorl %ecx,%ecx\n"
        "1: cmpq %rdx,%rcx\n  jae 2f\n  movq (%rsi,%rcx,8),%rax\n  movq %rax,(%rsp,%rcx,8)\n  incq %rcx\n  jmp 1b\n"
        "2: movups 128(%rbx),%xmm0\n  movups 144(%rbx),%xmm1\n  movups 160(%rbx),%xmm2\n  movups 176(%rbx),%xmm3\n"
        "  movups 192(%rbx),%xmm4\n  movups 208(%rbx),%xmm5\n  movups 224(%rbx),%xmm6\n  movups 240(%rbx),%xmm7\n"
        "  movq 0(%rbx),%rax\n  movq 8(%rbx),%rcx\n  movq 16(%rbx),%rdx\n  movq 48(%rbx),%rsi\n  movq 56(%rbx),%rdi\n"
        "  movq 64(%rbx),%r8\n  movq 72(%rbx),%r9\n  call plumb_entry\n"
        "  movq %rax,plumb_output(%rip)\n  movq %rdx,plumb_output+8(%rip)\n  movq %rcx,plumb_output+16(%rip)\n"
        "  movups %xmm0,plumb_output+24(%rip)\n  movups %xmm1,plumb_output+40(%rip)\n"
        "  leaq -40(%rbp),%rsp\n  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  leave\n  ret\n");

/* Compiled code may call these for copies that the source has as such. */
__attribute__((weak)) void *memmove(void *to, const void *from, unsigned long n) {
  volatile unsigned char *a = to;
  const volatile unsigned char *b = from;
  if ((unsigned long)a <= (unsigned long)b)
    for (unsigned long i = 0; i < n; i++) a[i] = b[i];
  else
    while (n--) a[n] = b[n];
  return to;
}
__attribute__((weak)) void *memcpy(void *to, const void *from, unsigned long n) {
  volatile unsigned char *a = to;
  const volatile unsigned char *b = from;
  for (unsigned long i = 0; i < n; i++) a[i] = b[i];
  return to;
}
__attribute__((weak)) void *memset(void *to, int value, unsigned long n) {
  volatile unsigned char *a = to;
  for (unsigned long i = 0; i < n; i++) a[i] = value;
  return to;
}

void plumb_main(unsigned long stack) {
  for (long i = 0; i < plumb_pages_length; i++) {
    /* Private, anonymous, and exactly there or nowhere. */
    if (plumb_system(9, plumb_pages[i], 4096, 7, 0x100022, -1, 0) != (long)plumb_pages[i]) {
      plumb_word("unmapped");
      plumb_number(plumb_pages[i]);
      plumb_flush();
      plumb_exit(0);
    }
    for (unsigned long at = 0; at < 4096; at++) *(volatile unsigned char *)(plumb_pages[i] + at) = plumb_fill;
  }
  for (long i = 0; i < plumb_bytes_length; i++) *(volatile unsigned char *)plumb_bytes[i].at = plumb_bytes[i].value;
  for (long i = 0; i < plumb_functions_length; i++) {
    /* movl $i, %r11d; movabsq $plumb_stub, %r10; jmpq *%r10 */
    volatile unsigned char *p = (unsigned char *)plumb_functions[i];
    unsigned long to = (unsigned long)plumb_stub;
    p[0] = 0x41, p[1] = 0xbb, p[6] = 0x49, p[7] = 0xba, p[16] = 0x41, p[17] = 0xff, p[18] = 0xe2;
    for (int k = 0; k < 4; k++) p[2 + k] = i >> 8 * k;
    for (int k = 0; k < 8; k++) p[8 + k] = to >> 8 * k;
  }
  plumb_word("stack");
  plumb_number(stack - (1 << 20));
  plumb_number(stack + (1 << 16));
  plumb_flush();
  plumb_call(plumb_input, plumb_stack, plumb_stack_length);
  plumb_word("return");
  for (int i = 0; i < 7; i++) plumb_number(plumb_output[i]);
  plumb_flush();
  plumb_memory();
  plumb_text("ended\n");
  plumb_exit(0);
}

__asm__(".globl _start\n_start:\n  xorl %ebp,%ebp\n  movq %rsp,%rdi\n  andq $-16,%rsp\n  call plumb_main\n  hlt\n");
