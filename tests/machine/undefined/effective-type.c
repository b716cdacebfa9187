// A float is read as an int.
int main(void) {
    float f = 1.0f;
    int *p = (int *)&f;
    return *p != 0; // UB: effective-type
}
