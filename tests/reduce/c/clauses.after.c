int f(int a) {
    if (a == 1) a = 2;
    for (; ; ) a += 1;
    for (; ; ) a++;
    return a;
}
