int g;

int pick(int k)
{
    int r = 1;
    {
        int chosen_11_0 = k;
        if (chosen_11_0 == (int)0 || chosen_11_0 == (int)1) {
            r = 4;
        } else if (chosen_11_0 == (int)2) {
            r = r + 2;
        } else {
            r = 9;
        }
    }
    return r;
}

int main(void)
{
    int i;
    for (i = 0; i < 4; i++) {
        switch (i & 1 ? 1 : 0) {
        case 0:
            {
                g -= i;
            }
            break;
        default:
            {
                g += pick(i);
            }
        }
    }
    return g;
}
