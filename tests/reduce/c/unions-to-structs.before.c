union U { int a; long b; };
union U u;
