int g(void);
int f(int a) {
    if (g()) a = 1; else { a = 2; }
    if (g()) { a = 1; }
    for (int i = 0; i < 3; i++) a += i;
    for (a = 0; a < 3; ) a++;
    while (g()) a--;
    do { a++; } while (g());
    switch (g()) { case 1: a = 1; }
    return a;
}
