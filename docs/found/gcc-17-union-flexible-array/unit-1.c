union c {
    int a;
    int b[];
} d = {.b = {0, 0}};
