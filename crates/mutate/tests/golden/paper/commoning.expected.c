int shift, flag, rows[5][2];
unsigned int column;

int main(void)
{
    for (column = 0; column < 2; column++) {
        if (rows[shift + 3][column] & rows[shift + 4][column])
            ;
    }
    return rows[0][0] + flag;
}
