// GNU `a ? : b` on complex values: the condition is computed once and is the second operand too.
static int calls;
static _Complex double once(double re, double im) {
    calls++;
    return re + im * 1.0i;
}
int main(void) {
    _Complex double x = 1, zero = 0, only = 2.0i;
    _Complex double y = x ? : 7.0 + 3.0i, z = zero ? : 7.0 + 3.0i, w = only ? : x;
    if (__real__ y != 1 || __imag__ y != 0 || __real__ z != 7 || __imag__ z != 3) return 1;
    if (__real__ w != 0 || __imag__ w != 2) return 2;
    int i = 3, none = 0;
    _Complex double wide = i ? : x, other = none ? : only;
    if (__real__ wide != 3 || __imag__ other != 2) return 3;
    _Complex double one = once(0, 0) ? : once(4, 5);
    return calls != 2 || __imag__ one != 5;
}
