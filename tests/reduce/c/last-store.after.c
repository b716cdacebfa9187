int g(int);
int main(void) {
    int a, b = 1;
    
    return g((b + 1)) * b;
}
