# 40 "header.h"
int f(void) {
    if (1) {
        g(;
    }
# 7 "main.c"
int after;
