/* strategy: hermes/fcb
   As Hermes, figure 9a: a loop whose body may get a condition on a local without a value, inside one that is never
   true. Moving the inner test out of the loop would read it. */
int seen;
short walk = 32760;

int main(void)
{
    int unset;
    int next = 1;
    for (; walk > 0 && walk < 32767; walk++) {
        seen = next;
        next = 0;
    }
    if (seen > 1)
        unset = seen;
    return next;
}
