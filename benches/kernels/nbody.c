/* Floating point on an array of structs. */
struct body { double x, y, z, vx, vy, vz, m; };
static struct body bodies[5] = {
    {0, 0, 0, 0, 0, 0, 39.5}, {4.84, -1.16, -0.10, 0.6, 2.8, -0.02, 0.037},
    {8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011}, {12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017},
    {15.37, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002}};
static double root(double v) {
    double r = v > 1 ? v : 1;
    for (int i = 0; i < 12; i++) r = 0.5 * (r + v / r);
    return r;
}
int main(void) {
    for (int step = 0; step < 40000; step++) {
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                struct body *a = &bodies[i], *b = &bodies[j];
                double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
                double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                double mag = 0.001 / (d2 * root(d2));
                a->vx -= dx * b->m * mag; a->vy -= dy * b->m * mag; a->vz -= dz * b->m * mag;
                b->vx += dx * a->m * mag; b->vy += dy * a->m * mag; b->vz += dz * a->m * mag;
            }
        for (int i = 0; i < 5; i++) {
            bodies[i].x += 0.001 * bodies[i].vx;
            bodies[i].y += 0.001 * bodies[i].vy;
            bodies[i].z += 0.001 * bodies[i].vz;
        }
    }
    return bodies[0].x == bodies[0].x ? 0 : 1;
}
