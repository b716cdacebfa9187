int f(int x, int kept) {
  __label__ out;
  int own = 1;
  int g(int y) {
    if (y) goto out;
    return x + y;
  }
  int *p = &own;
  int reg = kept;
  return g(*p) + reg;
out:
  return sizeof(&kept);
}
