int main(void) {
    int n = 0;
    int a[n - 1]; // UB: vla-size
    return sizeof a == 0;
}
