/* Forms with a syntax of their own. */
typedef struct { int a; struct { int b[4]; } c[2]; } T;
int f(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    int x = __builtin_va_arg(ap, int) + *__builtin_va_arg(ap, int *);
    x += __builtin_offsetof(T, a) + __builtin_offsetof(struct { int a; }, a) + __builtin_offsetof(T, c[1].b[x + 1]);
    x += __builtin_types_compatible_p(int, const T *) + __builtin_choose_expr(1, x, "no");
    x += _Generic(x, int: 1, const char *: 2, T: 3, int (*)(void): 4, default: 5);
    x += _Generic((x, 1), default: (x, 2));
    typedef float v4 __attribute__((vector_size(16)));
    v4 v; x += __builtin_convertvector(v, __typeof__(v))[0];
    __auto_type y = x, *z = &y;
    x += __builtin_expect(!!(x), 0) + __builtin_shuffle(v, v)[0] + __builtin_constant_p(x);
    __func__; __FUNCTION__;
    return x;
}
