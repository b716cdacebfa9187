main()
{
}
