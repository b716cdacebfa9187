int f(int a, long b, double d, int *p) {
  int r;
  if (__builtin_expect(a, 1)) __builtin_unreachable();
  __atomic_store_n(p, b, 5);
  return __builtin_add_overflow(a, b, &r) + __builtin_isnan(d) + __builtin_constant_p(a) + __builtin_clz(3)
    + __builtin_classify_type(d);
}
