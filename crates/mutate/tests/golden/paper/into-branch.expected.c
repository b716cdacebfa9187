int row[1], grid[1][1], left, turns;

void never(int at)
{
    while (0)
        ;
    {
        row[at] = at;
    }
    if (0) {
        {
            turns--;
        }
    arm:
        while (0)
            ;
    } else {
        while (0)
            ;
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
