typedef int S __attribute__((vector_size(32)));
int a = 1;
S b __attribute__((aligned));

int main()
{
    b = (S){};
}
