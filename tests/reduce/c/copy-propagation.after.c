
static int b = 4;
int main(void) {
    
    b = 5;
    return (a + 1) * (a + 1) + 4;
}
