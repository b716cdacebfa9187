/* strategy: athena
   As Hermes, figure 9d: a jump leads into an arm that no condition enters, in a function that is never called. */
int row[1], grid[1][1], left, turns;

void never(int at)
{
    for (; turns; turns++)
        goto arm;
    if (0) {
    arm:
        left--;
    } else {
        grid[at][0] = 0;
    }
    row[at] = left;
    goto arm;
}

int main(void)
{
    return row[0] + grid[0][0];
}
