int f(int a) {
    switch (a) { case 1: a = 2; case 3 ... 4: a = 5; default: a = 6; }
again:
    a++;
    if (a < 9) goto again;
    goto end;
end:
    return a;
}
