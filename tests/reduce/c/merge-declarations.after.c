int a = 1, *b;

static int c;
int main(void) {
    int d, f = 2;
    long e;
    
    return f;
}
