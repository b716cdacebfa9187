/* A switch whose groups end in break, an if with both arms, and statements at points with few states. */
int g;

int pick(int k)
{
    int r = 1;
    switch (k) {
    case 0:
    case 1:
        r = 4;
        break;
    case 2:
        r = r + 2;
        break;
    default:
        r = 9;
    }
    return r;
}

int main(void)
{
    int i;
    for (i = 0; i < 4; i++) {
        if (i & 1)
            g += pick(i);
        else
            g -= i;
    }
    return g;
}
