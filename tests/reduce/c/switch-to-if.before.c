int f(int a) {
    switch (a + 1) {
    case 1:
        a = 2;
        break;
    default:
        a = 4;
        break;
    case 3:
        a = 5;
    }
    return a;
}
