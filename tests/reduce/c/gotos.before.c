int f(int c)
{
    if (c > 1) goto end;
    c++;
    c--;
end:
    c += 2;
again:
    c--;
    if (c) goto again;
    goto out;
    c = 3;
out:
    return c;
}
