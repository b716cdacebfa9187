/* strategy: hermes/tg
   As Hermes, figure 9c: counters go down in a loop that runs twice under a volatile condition, and one of them indexes
   an array afterwards. */
int cells[1] = {1}, got, down, other, sign, step;
volatile int on = 1;
char byte;

void count(void)
{
    for (step = 15; step < 22; step += 5) {
        if (on) {
            down--;
            sign--;
            byte--;
            other = sign < 0;
        } else {
            byte = 0;
        }
    }
}

int main(void)
{
    count();
    got = cells[byte & 1];
    return got - 1;
}
