// target: lp64
#include <complex.h>
#include <stdio.h>
static void show(double complex z) { printf("%.12g %.12g\n", creal(z), cimag(z)); }
int main(void) {
    volatile double x = 3, y = 4;
    double complex z = x + y * I;
    show(conj(z));
    show(csqrt(z));
    show(cexp(z) / z);
    show(clog(z));
    show(cpow(z, 2 - I));
    show(csin(z) + ccos(z) * ctan(z));
    show(casin(z) - cacos(z) + catan(z));
    show(csinh(z) * ccosh(z) - ctanh(z));
    show(cproj(z));
    printf("%.12g %.12g\n", cabs(z), carg(z));
    float complex w = z;
    printf("%.6g %.6g %.6g\n", cabsf(w), crealf(csqrtf(w)), cimagf(conjf(w)));
    return 0;
}
