int main(void) {
    int n = 3;
    if (n) goto inside; // UB: goto-into-vla
    {
        int a[n];
    inside:
        return sizeof a == 0;
    }
}
