struct U { int a; long b; };
struct U u;
