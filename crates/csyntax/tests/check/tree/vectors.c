typedef int v4 __attribute__((vector_size(16)));
v4 f(v4 a, v4 b, int i) {
  a[i] = 3;
  return (a + 2 < b) & a;
}
_Complex double g(_Complex double z, float d) {
  __real__ z = d;
  return z * d + 2i;
}
