int main(void) {
    int a = 1;
    a = 2;
    if (a)
        a = 3;
    else {
        a = 4;
    }
    while (a) a--;
    return a;
}
