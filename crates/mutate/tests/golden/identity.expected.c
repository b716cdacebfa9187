int g;

int helper(int x)
{
    if (x >= 0 && x < 3 && x > 100) {
        g = 7;
        return 1;
    }
    return x + 1;
}

int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        if (!(i < g || g == 7) && helper(i) > 50) {
            g = 1;
            goto out;
        } else {
            g += i;
        }
    }
    while (g < 0) {
        g = g / i;
        i = 0;
    }
out:
    return g;
}
