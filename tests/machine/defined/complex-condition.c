static double _Complex f() { double _Complex c = 1; return c; }
int main() {
    double _Complex c;
    if (c = f()) return c != 1;
    return 1;
}
