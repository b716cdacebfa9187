/* strategy: hermes/tcb
   As Hermes, figure 2: a char counts down through all its values around a loop that is left at once; a block that
   changes and restores a local there is live code for the demanded bits of a comparison. */
char down;
int low, nine = 9, depth, e;

void work(void)
{
    unsigned flag = 1;
    int eight = 8, five = 5;
    for (; down != 6; down--) {
        int *to = &five;
        for (;;) {
            if (depth <= eight)
                break;
            *to = (int)flag;
        }
    }
    low = five + (nine != 9);
}

int main(void)
{
    work();
    return low + e;
}
