/* strategy: hermes/tcb
   As Hermes, figure 9f: a record is stored to an array and read back from its first element in each pass. */
struct pair {
    int first;
    int second;
};
int pass;

int main(void)
{
    struct pair all[2] = {{0, 0}};
    struct pair one = {0, 1};
    for (pass = 0; pass < 2; pass++) {
        all[pass] = one;
        one = all[0];
    }
    return one.second - 1 + all[1].first;
}
