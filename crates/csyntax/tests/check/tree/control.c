int f(int n) {
  for (int i = 0; i < n; i++) {
    if (i == 3) continue;
    else break;
  }
  while (n) n--;
  do n++; while (n < 5);
  switch ((char)n) {
    case 1: n = 2;
    case 3 ... 5: break;
    default: goto out;
  }
  n = ({ int k = n; k + 1; });
out:
  return n;
}
