/* strategy: hermes/fcb
   As Hermes, figure 9b: tests in a nest of loops that is left early; a false block in front of them may combine with
   the next test. */
int count = 2, again = 1, one = 1;

int nest(void)
{
    int k;
    for (; count; count--) {
        for (k = 0; k < 4; k++) {
            int local = k;
            if (one)
                continue;
            return local;
        }
        again = !1;
    }
    return again;
}

int main(void)
{
    int left = nest();
    return left + count;
}
