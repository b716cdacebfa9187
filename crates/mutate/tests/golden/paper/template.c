/* strategy: hermes/tcb
   As Hermes, figures 4 and 6: one variable is backed up, changed under a true guard, used by a block that is not
   entered, and put back. */
long kept = 40;

int main(void)
{
    int step = 2;
    kept += step;
    return kept == 42 ? 0 : 1;
}
