/* Inline assembly is carried as written. */
asm(".globl x\n\t" "x:"); __asm__ ("y:");
int f(int a, int b) {
    asm("nop"); asm volatile ("nop" : ); __asm__ __volatile__ ("mov %1, %0" : "=r" (a) : "r" (b + 1) : "cc", "memory");
    asm("%[x]" : [x] "+m" (*&a), "=&r"(b)); asm("" : : "i" (3)); asm("" ::: "memory"); asm inline ("");
    asm goto ("jmp %l0" : : "r" (a) : : done); asm volatile goto ("" :::: done, done);
    register int r asm("rax") = 3;
done: return a;
}
