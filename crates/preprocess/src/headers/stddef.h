/* For machines without a compiler: the parts that the C library asks for by __need_ macros, or all. */
#if !defined __need_size_t && !defined __need_wchar_t && !defined __need_ptrdiff_t && !defined __need_NULL \
    && !defined __need_wint_t
#define __need_size_t
#define __need_wchar_t
#define __need_ptrdiff_t
#define __need_NULL
#ifndef __PLUMB_STDDEF
#define __PLUMB_STDDEF
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef struct {
    long long __ll __attribute__((__aligned__(__alignof__(long long))));
    long double __ld __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#endif
#endif
#ifdef __need_size_t
#undef __need_size_t
#ifndef __PLUMB_SIZE_T
#define __PLUMB_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#endif
#ifdef __need_wchar_t
#undef __need_wchar_t
#ifndef __PLUMB_WCHAR_T
#define __PLUMB_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif
#endif
#ifdef __need_ptrdiff_t
#undef __need_ptrdiff_t
#ifndef __PLUMB_PTRDIFF_T
#define __PLUMB_PTRDIFF_T
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#endif
#ifdef __need_wint_t
#undef __need_wint_t
#ifndef __PLUMB_WINT_T
#define __PLUMB_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#endif
#ifdef __need_NULL
#undef __need_NULL
#undef NULL
#define NULL ((void *)0)
#endif
