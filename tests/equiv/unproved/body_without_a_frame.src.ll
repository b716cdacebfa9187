; What returns there is the assembly.
define internal i32 @seven() naked {
  call void asm sideeffect "movl $$7, %eax; ret", ""()
  unreachable
}
define i32 @calls() {
  %r = call i32 @seven()
  ret i32 %r
}
