// The parts of complex values that are no lvalues.
static double _Complex make(double x) { double _Complex z; __real__ z = x, __imag__ z = x + 1; return z; }
int main(void) {
    double _Complex z = make(3);
    return !(__imag__ -z == -4 && __real__ make(5) == 5 && __imag__ (z + make(1)) == 6 && __imag__ ~z == -4);
}
