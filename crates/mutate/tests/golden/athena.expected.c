int total, limit = 5;

int count(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        sum += i * limit;
    }
    if (sum > 1000) {
        {
            int athena_9_1;
            i += athena_9_1 * limit;
        }
        {
            {
                {
                    sum += total * limit;
                }
            }
            {
                while (0)
                    ;
                while (0)
                    ;
                {
                    sum += n;
                }
                {
                    {
                        sum--;
                    }
                }
                limit = 0;
            }
        }
    }
    return sum;
}

int main(void)
{
    int r = count(4);
    if (r < 0)
        while (0)
            ;
    return r + total;
}
