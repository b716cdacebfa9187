// Values within the range of float, also when rounding is needed.
int main(void) {
    double third = 1.0 / 3, big = 3.0e38;
    float f = (float)third, g = (float)big;
    if (f == third) return 1;
    if (f < 0.3333f || f > 0.3334f) return 2;
    return !(g > 2.9e38f);
}
