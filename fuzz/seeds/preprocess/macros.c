#include "a.h"
#if defined(A) && A(1, 2) > 2
A(x, #y)
#else
#undef A
#endif

#pragma once
#define A(a, b) a ## b + (b)
#define S(...) #__VA_ARGS__
