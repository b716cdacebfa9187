int x;


static int shared(int e) { return e; }
static int early(int d) { if (d) return 1; return 2; }

int main(void) {
    int a = 3;  x = a; x++; 
    int b = x + 1;  int c = b;   if (x)
        x = (c * 2) + shared(early(2));
    unsigned char f = 300;    return shared(f) * 2;
}
