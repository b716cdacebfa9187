/* Two regions never run; each may take statements of the other, and of the loop that does run. */
int total, limit = 5;

int count(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        sum += i * limit;
    }
    if (sum > 1000) {
        total = sum;
        while (total > limit) {
            total--;
        }
        limit = 0;
    }
    return sum;
}

int main(void)
{
    int r = count(4);
    if (r < 0) {
        r = -r;
        total += r;
    }
    return r + total;
}
