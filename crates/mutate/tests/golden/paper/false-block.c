/* strategy: hermes/fcb
   As Hermes, figure 1: inner loops over a small array, a value far outside it in scope. A false block there may
   read the array by that value; a compiler that runs the read anyway faults. */
int zero;

int main(void)
{
    int minus = -1, outer = 0, inner, cells[2] = {0};
    unsigned short far = minus;
    for (; outer < 3; outer++)
        for (inner = 0; inner < 2; inner++)
            cells[inner] += outer;
    return cells[1] + zero + (far != 65535);
}
