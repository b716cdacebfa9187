int main(void) {
    _Bool b = 2, c = 0.5, d = &b;
    unsigned char raw;
    raw = *(unsigned char *)&b;
    *(unsigned char *)&c = 0;
    struct { _Bool f : 1; } bit = {8};
    return !(raw == 1 && b == 1 && c == 0 && d == 1 && bit.f == 1 && b + b == 2);
}
