int total, limit = 5;

int count(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        sum += i * limit;
    }
    if (sum > 1000)
        while (0)
            ;
    return sum;
}

int main(void)
{
    int r = count(4);
    if (r < 0) {
        {
            for (limit = 0; limit < r; limit++) {
                total += limit * total;
            }
        }
        {
            while (0)
                ;
            while (0)
                ;
        }
    }
    return r + total;
}
