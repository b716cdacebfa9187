struct s { unsigned a : 3; short b; } v;
void f(char c, int *p, _Bool b, float g) {
  c += 1;
  c <<= 2;
  g += c;
  p -= 3;
  p++;
  --c;
  b++;
  v.a += 1;
  v.b = c = 300;
  *p++ = 4;
}
