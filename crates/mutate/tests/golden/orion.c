/* The else branch and the body of the second loop never run; the label is still needed. */
int g;

int helper(int x)
{
    if (x > 100) {
        g = 7;
        return 1;
    }
    return x + 1;
}

int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        if (helper(i) > 50) {
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
