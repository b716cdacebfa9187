// Every element, and the pointer one past the last, which is compared but not dereferenced.
int main(void) {
    int a[4] = {1, 2, 3, 4}, sum = 0;
    for (int *p = a; p != a + 4; p++) sum += *p;
    for (int i = -4; i < 0; i++) sum += (a + 4)[i];
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) sum += grid[i][j];
    return sum != 41;
}
