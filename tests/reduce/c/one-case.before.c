int f(int a) {
    switch (a) {
    case 1:
    case 2:
        a = 3;
        break;
    default:
        a = 4;
        a = 5;
    }
    return a;
}
