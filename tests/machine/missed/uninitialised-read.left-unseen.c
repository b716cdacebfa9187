// C11 6.2.4p6: a computed goto leaves the block of `b`, another enters it again past its beginning: `b` has no value.
// The machine does not see that the block was left.
int main(void) {
  void *into = &&in, *out = &&over;
  volatile int rounds = 0;
  {
    int b;
    b = 2;
  in:
    if (rounds++) return b; // UB: uninitialised-read
    goto *out;
  }
over:
  goto *into;
}
