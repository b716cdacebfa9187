// Jumps out of, within and before the scope; and into the scope of what is not variably modified.
int main(void) {
    int n = 3, turns = 0, sum = 0;
again:
    {
        int a[n + turns];
        a[n + turns - 1] = turns;
    inner:
        sum += a[n + turns - 1];
        if (sum == 1) goto inner;
        if (++turns < 3) goto again;
    }
    goto plain;
    {
        int x;
    plain:
        x = 5;
        sum += x;
    }
    return sum != 9;
}
