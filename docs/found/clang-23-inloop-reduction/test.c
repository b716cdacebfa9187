// REQUIRES: native
// RUN: %clang -Os -mllvm -prefer-inloop-reductions=true -mllvm -force-vector-interleave=3 -mllvm -unroll-threshold=50 -w %s -o %t
// RUN: %t

int a[4];

int main()
{
    int b, c, d = 0;
    for (b = 0; b < 4; b++) {
        c = 0;
        do
            d += 1 != a[c];
        while (++c < 4);
    }
    if (d != 16)
        __builtin_abort();
}
