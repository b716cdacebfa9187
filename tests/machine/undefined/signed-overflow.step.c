int main(void) {
    int rounds = 0;
    for (int i = 0x7ffffff0; i > 0; i++) // UB: signed-overflow
        rounds++;
    return rounds;
}
