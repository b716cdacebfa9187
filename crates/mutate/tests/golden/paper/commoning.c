/* strategy: orion
   As the first example of the review of Orion: neighbouring rows of a table are tested in a loop, and what stands under
   the tests never runs. Without it only the loads are left, for predictive commoning to share. */
int shift, flag, rows[5][2];
unsigned column;

int main(void)
{
    for (column = 0; column < 2; column++) {
        if (rows[shift + 3][column] & rows[shift + 4][column]) {
            if (flag) {
                rows[0][0] = 1;
                shift++;
            }
            flag = 2;
        }
    }
    return rows[0][0] + flag;
}
