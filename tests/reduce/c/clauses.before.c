int f(int a) {
    if (a == 1) a = 2; else a = 3;
    for (int i = 0; i < 3; i++) a += 1;
    for (a = 0; ; ) a++;
    return a;
}
