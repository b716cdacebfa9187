// Two side effects on one object with no sequence point between.
int main(void) {
    int i = 1;
    i = i++ + 1; // UB: unsequenced-access
    return i;
}
