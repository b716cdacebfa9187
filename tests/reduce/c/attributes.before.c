int a __attribute__((aligned(8)));
__attribute__((noinline)) static int f(void) __asm__("g");
