# 1 "pragmas.h"
#pragma once
#pragma pack(push, 1)
struct packed { char a; int b; };
#pragma pack(pop)
# 2 "pragmas.c" 2
struct loose { char a; int b; };
#ident "ignored"
#line 7
_Pragma("pack(2)") struct two { char a; int b; };
#pragma pack()
int f(int n) {
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        #pragma STDC FP_CONTRACT OFF
        n--;
    }
    return n;
#pragma at the end
}
#pragma last
