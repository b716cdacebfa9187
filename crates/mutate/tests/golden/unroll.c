/* Loops with and without a first clause, one left by break, one whose continue forbids a copy. */
int g;

int main(void)
{
    int i, j = 0;
    for (i = 0; i < 5; i++) {
        g += i;
        if (g > 8)
            break;
    }
    while (j < 3)
        j++;
    for (; i > 0; i--)
        g ^= i;
    for (i = 0; i < 4; i++) {
        if (i == 2)
            continue;
        g++;
    }
    return g;
}
