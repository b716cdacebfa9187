// std: gnu2x
// target: lp64
// C23 without its headers: new keywords, constexpr, inferred types, digit separators, enums with a type.
int printf(const char *, ...);
int puts(const char *);
bool flag = true;
constexpr int n = 3 + 1;
constexpr double half = 0.5;
int arr[n] = {};
static_assert(sizeof(arr) == 16);
static_assert(n == 4, "n");
enum small : unsigned char { A = 200, B };
enum fwd : long;
enum fwd : long { X = 1L << 40 };
thread_local int tl = 7;
alignas(16) int al;
static int cp = n;
typeof_unqual(const int) plain = 3;
struct s { bool b; enum small e : 4; alignas(8) char c; static_assert(1); };
int f(int, int b) { return b; }
int g(bool) { return 1; }
int main(void) {
    int *p = nullptr;
    auto x = 1.5;
    auto y = 3u;
    static auto z = 5L;
    auto attributed [[maybe_unused]] = 6LL;
    printf("%d\n", _Generic(attributed, long long: 1, default: 2));
    constexpr auto w = 9;
    int big = 1'000'000;
    unsigned h = 0xFF'FFu, bb = 0b1010'1010;
    if (p == nullptr && flag && !false) printf("%f %u %ld %d %d %u %u\n", x, y, z, w, big, h, bb);
    switch (big) { case 1'000'000: int k = 4; printf("%d\n", k); default: }
    [[maybe_unused]] int q = 0;
    [[gnu::assume(big > 5)]];
    __attribute__((assume(big == 1000000)));
    printf("%d %zu %zu %d %d %ld\n", (int)B, sizeof(enum small), alignof(double), f(1, 2), g(0), (long)X);
    printf("%d %d %d\n", _Generic(true, bool: 1, int: 2), _Generic(x, double: 1, default: 2), _Generic(A, enum small: 1, default: 0));
    bool *bp = &flag; *bp = 7; printf("%d\n", flag);
    for (auto i = 0; i < 2; i++) printf("%d", i);
    for (bool t = true; t; t = false) puts("t");
lbl:
    static int st = 3;
    printf("%d %d\n", st, arr[n - 1]);
    goto end;
end:
}
