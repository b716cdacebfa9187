enum E { A = 1, B, C = A + 2 };
