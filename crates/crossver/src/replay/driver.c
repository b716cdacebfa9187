/* Runs machine code that is cut out of an object file on the inputs of a counterexample, and prints what it did, line by
   line. What to run comes as 64-bit words on standard input, in the order in which plumb_main takes them: see `feed.rs`.
   It stands alone, and the code under test has a stack of its own. */

typedef unsigned long plumb_u64;
typedef unsigned char plumb_u8;

static plumb_u64 plumb_data[1 << 21];
static long plumb_length, plumb_at;

static plumb_u64 plumb_take(void) {
  if (plumb_at >= plumb_length) {
    plumb_text("short\n");
    plumb_exit(1);
  }
  return plumb_data[plumb_at++];
}

/* rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15; then xmm0 to xmm15. */
plumb_u64 plumb_registers[16 + 32];
plumb_u64 plumb_entry;
plumb_u8 plumb_own_stack[1 << 16] __attribute__((aligned(64)));

struct plumb_page { plumb_u64 at, flags; plumb_u8 *before; };
enum { PLUMB_WATCHED = 1, PLUMB_READ_ONLY = 2 };
static struct plumb_page plumb_pages[8192];
static long plumb_page_count;

static const plumb_u64 *plumb_stubs, *plumb_objects;
static plumb_u64 plumb_stub_count, plumb_object_count, plumb_answer_count, plumb_events, plumb_junk;

static plumb_u64 plumb_map(plumb_u64 at, plumb_u64 bytes) {
  /* Private, anonymous, and exactly there or nowhere. */
  plumb_u64 got = plumb_system(9, at, bytes, 7, at ? 0x100022 : 0x22, -1, 0);
  if (at ? got != at : got > -4096ul) {
    plumb_word("unmapped");
    plumb_number(at);
    plumb_flush();
    plumb_exit(0);
  }
  return got;
}

static int plumb_is_code(plumb_u64 at) {
  for (plumb_u64 i = 0; i < plumb_stub_count; i++)
    if (at - plumb_stubs[2 * i] < 19) return 1;
  return 0;
}

/* The bytes of watched pages that are no longer what they were. */
static void plumb_memory(void) {
  for (long i = 0; i < plumb_page_count; i++) {
    struct plumb_page *page = &plumb_pages[i];
    if (!(page->flags & PLUMB_WATCHED)) continue;
    for (plumb_u64 k = 0; k < 4096; k++) {
      plumb_u8 now = ((volatile plumb_u8 *)page->at)[k];
      if (now != page->before[k] && !plumb_is_code(page->at + k)) {
        plumb_word("byte");
        plumb_number(page->at + k);
        plumb_number(now);
        plumb_flush();
      }
    }
  }
}

/* What objects of the frame hold. */
static void plumb_frame(void) {
  for (plumb_u64 i = 0; i < plumb_object_count; i++)
    for (plumb_u64 k = 0; k < plumb_objects[2 * i + 1]; k++) {
      plumb_word("local");
      plumb_number(i);
      plumb_number(k);
      plumb_number(((volatile plumb_u8 *)plumb_objects[2 * i])[k]);
      plumb_flush();
    }
}

static void plumb_all_registers(void) {
  for (int i = 0; i < 48; i++) plumb_number(plumb_registers[i]);
}

void plumb_seen(void) {
  const plumb_u64 *sp = (const plumb_u64 *)plumb_registers[4];
  plumb_u64 index = sp[0];
  plumb_word("call");
  plumb_number(index);
  plumb_number(sp[1]);
  plumb_all_registers();
  for (int i = 0; i < 16; i++) plumb_number(sp[2 + i]);
  plumb_flush();
  if (plumb_events >= plumb_answer_count) {
    /* Here the two sides part at the latest. */
    plumb_frame();
    plumb_memory();
    plumb_text("stopped\n");
    plumb_exit(0);
  }
  plumb_events++;
  /* A call may change rax, rcx, rdx, rsi, rdi, r8 to r11 and all vectors, but for those that this callee is known to keep. */
  plumb_u64 keeps = plumb_stubs[2 * index + 1], first = plumb_registers[7];
  for (int n = 0; n < 32; n++) {
    if (keeps >> n & 1 || (n < 16 && !(0xfc7 >> n & 1))) continue;
    int at = n < 16 ? n : 16 + 2 * (n - 16);
    plumb_registers[at] = plumb_junk + 0x1111 * (plumb_u64)n;
    if (n >= 16) plumb_registers[at + 1] = plumb_junk + 0x2222 * (plumb_u64)n;
  }
  /* rax, rdx, xmm0, xmm1. */
  static const int where[] = {0, 2, 16, 17, 18, 19}, of[] = {0, 2, 16, 16, 17, 17};
  for (int i = 0; i < 6; i++) {
    plumb_u64 value = plumb_take();
    if (!(keeps >> of[i] & 1)) plumb_registers[where[i]] = value;
  }
  /* What it is passed first, where it gives that. */
  if (keeps >> 63) plumb_registers[0] = first;
  plumb_u64 changes = plumb_take();
  while (changes--) {
    plumb_u64 at = plumb_take();
    *(volatile plumb_u8 *)at = plumb_take();
  }
}

void plumb_done(void) {
  plumb_word("return");
  plumb_all_registers();
  plumb_flush();
  plumb_memory();
  plumb_text("ended\n");
  plumb_exit(0);
}

/* The trap flag, where single steps are asked for; how many more are told, and the registers that were told last. */
plumb_u64 plumb_trap;
static plumb_u64 plumb_steps, plumb_told[48];

/* Tells the state before an instruction: its address, flags, and registers that are not as they were told before. */
static void plumb_step(plumb_u64 *context) {
  /* Where a signal's context has rax to r15; vectors lie behind 160 bytes of what it points to for them. */
  static const int where[16] = {18, 19, 17, 16, 20, 15, 14, 13, 5, 6, 7, 8, 9, 10, 11, 12};
  const plumb_u64 *vectors = (const plumb_u64 *)(context[28] + 160);
  plumb_word("step");
  plumb_number(context[21]);
  plumb_number(context[22]);
  for (int i = 0; i < 48; i++) {
    plumb_u64 now = i < 16 ? context[where[i]] : vectors[i - 16];
    if (now == plumb_told[i]) continue;
    plumb_told[i] = now;
    plumb_number(i);
    plumb_number(now);
  }
  plumb_flush();
  /* No steps through this program's own code; plumb_stub sets the flag again. */
  if (!--plumb_steps) plumb_trap = 0;
  if (!plumb_trap || context[21] - 0x70000000 < 0x8000000) context[22] &= ~0x100ul;
}

void plumb_signal(int number, const plumb_u64 *info, plumb_u64 *context) {
  /* The code of a trap by the flag is 2. */
  if (number == 5 && (int)info[1] == 2 && plumb_steps) {
    plumb_step(context);
    return;
  }
  plumb_word("signal");
  plumb_number(number);
  plumb_number(context[21]);
  plumb_number(info[2]);
  plumb_flush();
  plumb_memory();
  plumb_text("stopped\n");
  plumb_exit(0);
}

#define PLUMB_GENERAL(X) X("%rax", "0") X("%rcx", "8") X("%rdx", "16") X("%rbx", "24") X("%rbp", "40") X("%rsi", "48") \
  X("%rdi", "56") X("%r8", "64") X("%r9", "72") X("%r10", "80") X("%r11", "88") X("%r12", "96") X("%r13", "104") \
  X("%r14", "112") X("%r15", "120")
#define PLUMB_VECTORS(X) X("%xmm0", "128") X("%xmm1", "144") X("%xmm2", "160") X("%xmm3", "176") X("%xmm4", "192") \
  X("%xmm5", "208") X("%xmm6", "224") X("%xmm7", "240") X("%xmm8", "256") X("%xmm9", "272") X("%xmm10", "288") \
  X("%xmm11", "304") X("%xmm12", "320") X("%xmm13", "336") X("%xmm14", "352") X("%xmm15", "368")
#define PLUMB_SAVE(R, AT) "  movq " R ",plumb_registers+" AT "(%rip)\n"
#define PLUMB_LOAD(R, AT) "  movq plumb_registers+" AT "(%rip)," R "\n"
#define PLUMB_SAVE_VECTOR(R, AT) "  movups " R ",plumb_registers+" AT "(%rip)\n"
#define PLUMB_LOAD_VECTOR(R, AT) "  movups plumb_registers+" AT "(%rip)," R "\n"
#define PLUMB_TRAP "  pushfq\n  pushq %rax\n  movq plumb_trap(%rip),%rax\n  orq %rax,8(%rsp)\n  popq %rax\n  popfq\n"
#define PLUMB_OWN "  leaq plumb_own_stack+65536(%rip),%rsp\n  cld\n  call "

void plumb_stub(void);
void plumb_back(void);
void plumb_restore(void);
void plumb_go(void);
void plumb_go_stepping(void);
/* Stubs come to the first with their number on the stack, the function under test to the second when it returns. */
__asm__(".text\n"
        "plumb_stub:\n" PLUMB_GENERAL(PLUMB_SAVE) PLUMB_VECTORS(PLUMB_SAVE_VECTOR) PLUMB_SAVE("%rsp", "32")
        PLUMB_OWN "plumb_seen\n" PLUMB_VECTORS(PLUMB_LOAD_VECTOR) PLUMB_GENERAL(PLUMB_LOAD) PLUMB_LOAD("%rsp", "32")
        "  leaq 8(%rsp),%rsp\n  cmpq $0,plumb_trap(%rip)\n  jne 1f\n  ret\n1:\n" PLUMB_TRAP "  ret\n"
        "plumb_back:\n" PLUMB_GENERAL(PLUMB_SAVE) PLUMB_VECTORS(PLUMB_SAVE_VECTOR) PLUMB_SAVE("%rsp", "32")
        PLUMB_OWN "plumb_done\n"
        "plumb_go:\n" PLUMB_VECTORS(PLUMB_LOAD_VECTOR) PLUMB_GENERAL(PLUMB_LOAD) PLUMB_LOAD("%rsp", "32")
        "  jmp *plumb_entry(%rip)\n"
        "plumb_go_stepping:\n" PLUMB_VECTORS(PLUMB_LOAD_VECTOR) PLUMB_GENERAL(PLUMB_LOAD) PLUMB_LOAD("%rsp", "32")
        PLUMB_TRAP "  jmp *plumb_entry(%rip)\n"
        "plumb_restore:\n  movl $15,%eax\n  syscall\n");

static void plumb_fill(plumb_u64 at, plumb_u64 bytes, plumb_u8 value) {
  for (plumb_u64 k = 0; k < bytes; k++) ((volatile plumb_u8 *)at)[k] = value;
}

static void plumb_read_pages(void) {
  plumb_page_count = plumb_take();
  plumb_u8 fill = plumb_take();
  for (long i = 0; i < plumb_page_count; i++) {
    plumb_pages[i].at = plumb_take();
    plumb_pages[i].flags = plumb_take();
    plumb_map(plumb_pages[i].at, 4096);
    plumb_fill(plumb_pages[i].at, 4096, fill);
  }
}

/* The stack, with what may be anything there; then arguments on it. */
static void plumb_read_stack(void) {
  plumb_u64 low = plumb_take(), bytes = plumb_take(), fill = plumb_take();
  plumb_map(low, bytes);
  plumb_fill(low, bytes, fill);
}

static void plumb_read_bytes(void) {
  plumb_u64 runs = plumb_take();
  while (runs--) {
    plumb_u64 at = plumb_take(), length = plumb_take(), word = 0;
    for (plumb_u64 k = 0; k < length; k++) {
      if (k % 8 == 0) word = plumb_take();
      ((volatile plumb_u8 *)at)[k] = word >> k % 8 * 8;
    }
  }
}

static void plumb_write_stubs(void) {
  plumb_stub_count = plumb_take();
  plumb_stubs = plumb_data + plumb_at;
  for (plumb_u64 i = 0; i < plumb_stub_count; i++) {
    /* pushq $i; jmpq *0(%rip); .quad plumb_stub */
    volatile plumb_u8 *p = (plumb_u8 *)plumb_take();
    plumb_u64 to = (plumb_u64)plumb_stub;
    plumb_take();
    p[0] = 0x68, p[5] = 0xff, p[6] = 0x25, p[7] = p[8] = p[9] = p[10] = 0;
    for (int k = 0; k < 4; k++) p[1 + k] = i >> 8 * k;
    for (int k = 0; k < 8; k++) p[11 + k] = to >> 8 * k;
  }
}

/* Remembers what watched pages hold, and takes from others the right to be written. */
static void plumb_begin(void) {
  for (long i = 0; i < plumb_page_count; i++) {
    struct plumb_page *page = &plumb_pages[i];
    if (page->flags & PLUMB_WATCHED) {
      page->before = (plumb_u8 *)plumb_map(0, 4096);
      for (int k = 0; k < 4096; k++) page->before[k] = ((volatile plumb_u8 *)page->at)[k];
    }
    if (page->flags & PLUMB_READ_ONLY) plumb_system(10, page->at, 4096, 5, 0, 0, 0);
  }
}

static plumb_u8 plumb_signal_stack[1 << 16] __attribute__((aligned(64)));

static void plumb_catch(void) {
  plumb_u64 stack[3] = {(plumb_u64)plumb_signal_stack, 0, sizeof plumb_signal_stack};
  plumb_system(131, (long)stack, 0, 0, 0, 0, 0);
  static const int caught[] = {4, 5, 7, 8, 11};
  for (int i = 0; i < 5; i++) {
    /* With the signal's origin, on a stack of its own. */
    plumb_u64 action[4] = {(plumb_u64)plumb_signal, 0x0c000004, (plumb_u64)plumb_restore, 0};
    plumb_system(13, caught[i], (long)action, 0, 8, 0, 0);
  }
}

void plumb_main(void) {
  plumb_u64 used = 0;
  for (;;) {
    long got = plumb_system(0, 0, (long)plumb_data + used, sizeof plumb_data - used, 0, 0, 0);
    if (got <= 0) break;
    used += got;
  }
  plumb_length = used / 8;
  plumb_read_pages();
  plumb_read_stack();
  plumb_read_bytes();
  plumb_write_stubs();
  plumb_object_count = plumb_take();
  plumb_objects = plumb_data + plumb_at;
  plumb_at += 2 * plumb_object_count;
  for (int i = 0; i < 48; i++) plumb_registers[i] = plumb_take();
  plumb_entry = plumb_take();
  plumb_junk = plumb_take();
  plumb_u64 thread = plumb_take();
  plumb_steps = plumb_take();
  plumb_trap = plumb_steps ? 0x100 : 0;
  plumb_answer_count = plumb_take();
  *(plumb_u64 *)plumb_registers[4] = (plumb_u64)plumb_back;
  plumb_begin();
  plumb_catch();
  /* What the segment register fs leads to. */
  if (thread) plumb_system(158, 0x1002, thread, 0, 0, 0, 0);
  if (plumb_steps) plumb_go_stepping();
  plumb_go();
}

__asm__(".globl _start\n_start:\n  xorl %ebp,%ebp\n  andq $-16,%rsp\n  call plumb_main\n  hlt\n");
