define i32 @calls() {
  call void asm sideeffect "movl $$7, %eax; ret", ""()
  unreachable
}
