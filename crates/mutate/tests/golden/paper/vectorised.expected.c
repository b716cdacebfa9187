int main(void)
{
    int bits = 1, turn;
    char way = 0;
    for (turn = 0; turn < 4; turn++) {
        bits &= 5;
        if (way)
            ;
    }
done:
    return bits - 1;
}
