// REQUIRES: native
// RUN: %clang -O2 -mllvm -prefer-inloop-reductions=true -mllvm -unroll-count=2 -mllvm -force-vector-interleave=3 -w %s -o %t
// RUN: %t | FileCheck --match-full-lines --strict-whitespace %s
// CHECK:0

int printf(const char *, ...), a;

int main()
{
    for (int b = 0; b != 8; b = b + 1)
        a = a ^ 1;
    printf("%X", a);
    return 0;
}
