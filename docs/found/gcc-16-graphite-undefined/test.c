/* { dg-do run } */
/* { dg-options "-O1 -fgraphite-identity" } */
/* { dg-output "^1(\n|\r\n|\r)$" } */

int printf(const char *, ...), a, b = 1, c[2], d;
unsigned long e = 14;
short i[] = {6, 32768, 2, 3, -1, 3, -1, 0, 1, -1}, j[] = {2, 5, -28217, 0, 1, -1, 32767, 32768};

int main()
{
    for (int k = 0; k < 10; k++)
        for (int l = 0; l < 8; l++) {
            int m = 10 + j[l] / 4.;
            d = 1;
            if (j[l] < i[k])
                m = -j[l];
            else
                d = (k == 2) * 65535;
            a = 2;
            e = e * 5 + m * 7 - m;
            e = e * 33 + 10;
            e = e * 33 * 33 + a;
            e = e * 0x4f1bbcd9 + d;
        }
    for (; a < 4; a++) {
        int n = 0;
        for (; n < 2; ++n) {
            struct {
                int p;
            } q = {b}, r;
            if (e == 17790792108227719826)
                r = q;
            b = r.p;
            d = d * c[n];
        }
    }
    printf("%X", b);
    return 0;
}
