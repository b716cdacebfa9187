int row[1], grid[1][1], left, turns;

void never(int at)
{
    while (0)
        ;
    {
        int athena_8_0[1];
        athena_8_0[turns] = at;
    }
    if (0) {
        {
            if (0) {
            athena_15_l0:
                left--;
            } else {
                grid[left][0] = 0;
            }
        }
        {
            {
                left--;
            }
            {
                for (; turns; turns++)
                    goto arm;
            }
        arm:
            while (0)
                ;
        }
    } else {
        {
            row[turns] = at;
        }
        {
            {
                int athena_18_0[1][1];
                athena_18_0[turns][0] = 0;
            }
            {
                grid[at][0] = 0;
            }
        }
    }
    while (0)
        ;
    while (0)
        ;
}

int main(void)
{
    return row[0] + grid[0][0];
}
