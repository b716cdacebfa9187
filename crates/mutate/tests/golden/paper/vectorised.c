/* strategy: orion
   As the second example of the review of Orion: a jump that is never taken leads over statements to a label; without
   what stands before it, the loop is one for the vectoriser. */
int main(void)
{
    int bits = 1, turn;
    char way = 0;
    for (turn = 0; turn < 4; turn++) {
        bits &= 5;
        if (way) {
            bits |= 8;
            goto done;
        }
    }
done:
    return bits - 1;
}
