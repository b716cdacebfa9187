// A double beyond float's range. Compilers with IEC 60559 arithmetic make an infinity of it.
int main(void) {
    double huge = 1e300;
    float f = (float)huge; // UB: float-range
    return f == 0;
}
