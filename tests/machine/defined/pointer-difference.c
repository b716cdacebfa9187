int main(void) {
    int a[4], grid[3][5];
    struct wide { int x[7]; } w[3];
    return !(&a[3] - &a[0] == 3 && &a[0] - &a[4] == -4 && &grid[2] - &grid[0] == 2 && &grid[1][4] - &grid[1][0] == 4 &&
             &w[2] - w == 2);
}
