// An unprototyped call whose promoted arguments agree with the parameters.
static int half();
static int old(c, d) char c; float d; { return c + (int)d; }
int main(void) {
    char c = 4;
    float d = 2.5f;
    return !(half(c) == 2 && half(8u) == 4 && old(c, d) == 6);
}
static int half(int x) { return x / 2; }
