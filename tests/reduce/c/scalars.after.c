struct S { int a, *b; };
static int s_a = 1; static int *s_b = 0; 
static int a_0 = 2; static int a_2 = 4; 
int main(void) {
    static int kept[2];
    s_a = a_0 + a_2;
    return s_b == 0 && *kept;
}
