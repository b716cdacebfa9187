/* A failed assertion ends the program by a signal. */
#include <assert.h>
int main(void)
{
    assert(1 + 1 == 3);
    return 0;
}
