/* C23 beyond what C17 compilers take, and the same words as ordinary names. */
bool flag = true;
constexpr int n = 1'000;
static constexpr unsigned long bits = 0b1010'1010ul;
static_assert(n == 1'000);
enum small : unsigned char { A = 200, B };
enum forward : long;
struct s { bool b; enum small e : 4; enum small : 2; alignas(8) char c; static_assert(1); };
thread_local int tl;
typeof_unqual(const int) plain;
__typeof_unqual__(flag) same;
unsigned _BitInt(5) u5 = 31uwb;
_BitInt(n) wide;
signed _BitInt(3) s3 = 3WB;
int f(int, bool, _BitInt(7) x) { return alignof(x) + alignof(bool); }
int g(bool);
int h(bool *p) {
    bool *q = p;
    auto x = 1.5;
    static auto y = 2u;
    constexpr auto z = 3;
    static_assert(z == 3, "z");
    [[gnu::assume(z > 2)]];
    for (bool t = false; !t; t = true) {}
    return q == nullptr;
l:  static_assert(true);
}
int names(void) {
    int bool = 1, alignas = 2, true = 3;
    bool += alignas * true;
    struct { int constexpr, thread_local; } nullptr = {.constexpr = 1};
static_assert:
    goto static_assert;
    return nullptr.constexpr + bool;
}
