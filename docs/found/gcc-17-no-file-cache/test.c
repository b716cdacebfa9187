/* { dg-do compile } */
/* { dg-options "--param=file-cache-files=0" } */

main()
{
}
