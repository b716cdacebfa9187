int g;

int helper(int x)
{
    if (x > 100)
        ;
    return x + 1;
}

int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        if (helper(i) > 50)
            ;
        else {
            g += i;
        }
    }
    while (g < 0)
        ;
out:
    return g;
}
