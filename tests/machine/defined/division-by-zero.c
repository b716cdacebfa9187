// Integer division truncates towards zero; floating division by zero is an infinity (Annex F).
int main(void) {
    int a = -7, b = 2;
    double none = 0.0;
    if (a / b != -3 || a % b != -1 || 7 / -2 != -3 || 7 % -2 != 1) return 1;
    if (-7 / 2u != 0x7ffffffcu) return 2;
    return !(1.0 / none > 1e308 && b && a / b);
}
