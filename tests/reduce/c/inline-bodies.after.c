int x;


static int early(int d) { if (d) return 1; return 2; }
int main(void) {
    { int a = 3;  x = a; x++;  }

    int twice_result;
{ int b = x + 1;  int c = b; twice_result = c * 2;  }
return twice_result + early(2);
}
