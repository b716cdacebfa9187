int seen;
short walk = 32760;

int main(void)
{
    int unset;
    int next = 1;
    {
        short backup_5_0 = -next;
        int backup_5_1 = -(walk - !seen) <= (next - 2 | backup_5_0);
        if (seen != 951) {
            backup_5_0 = walk;
            walk = ~(~-(- -walk ^ -next == ~backup_5_0) % (seen / 2 - backup_5_1));
            backup_5_1 = next;
            next = -(~!seen >> (~!backup_5_0 <= backup_5_1)) % (walk - next);
            while (backup_5_1 < walk) {
                __builtin_printf("%lld", (long long)next);
            }
        }
        walk = backup_5_0;
        next = backup_5_1;
    }
    for (; walk > 0 && walk < 32767; walk++) {
        if (walk < seen || walk < 32755) {
            unset |= !(next / 3);
            unset -= !unset << ~seen;
        }
        seen = next;
        next = 0;
    }
    if (seen > 1)
        unset = seen;
    return next;
}
