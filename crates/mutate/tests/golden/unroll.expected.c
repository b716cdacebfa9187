int g;

int main(void)
{
    int i, j = 0;
    for (i = 0; i < 5; i++) {
        {
            {
                g += i;
                if (g > 8)
                    break;
            }
        }
        i++;
        if (!(i < 5))
            break;
        {
            g += i;
            if (g > 8)
                break;
        }
    }
    if (j < 3) {
        {
            j++;
        }
    }
    while (j < 3)
        j++;
    for (; i > 0; i--) {
        {
            g ^= i;
        }
        i--;
        if (!(i > 0))
            break;
        g ^= i;
    }
    for (i = 0; i < 4; i++) {
        if (i == 2)
            continue;
        g++;
    }
    return g;
}
