int total;

static int twice(int x)
{
    return x + x;
}

int main(void)
{
    int i;
    for (i = 0; i < 3; i++)
        total += twice(i);
    return total;
}
