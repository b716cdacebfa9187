// std: gnu2x
// target: lp64
[[gnu::noinline]] static int f(int n) {
    [[gnu::assume(n > 3)]]; // UB: attribute-violated
    return n;
}
int main(void) { return f(5) + f(3); }
