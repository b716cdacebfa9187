// A computed goto enters a block past the beginning of `b`, whose register held `a`: `b` has no value.
int main(void) {
  void *into = &&in;
  volatile int always = 1;
  {
    int a = 3;
    if (a && always) goto *into;
  }
  {
    int b;
    b = 2;
  in:
    return b; // UB: uninitialised-read
  }
}
