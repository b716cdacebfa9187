int f(char c, unsigned u, long l, float g, int *p) {
  c + u;
  u << l;
  l < u;
  g * c;
  !p && c;
  p + c;
  p - 1;
  &p[2] - p;
  c ? l : u;
  p ?: 0;
  return -c + ~u;
}
