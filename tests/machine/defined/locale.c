#include <locale.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    struct lconv *l = localeconv();
    if (strcmp(l->decimal_point, ".") || *l->thousands_sep || *l->negative_sign) return 1;
    printf("%d %d %s\n", l->frac_digits == CHAR_MAX, l->int_n_sign_posn == CHAR_MAX, setlocale(LC_ALL, "C"));
    return localeconv() != l;
}
