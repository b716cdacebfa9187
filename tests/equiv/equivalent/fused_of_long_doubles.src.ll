; A fused product of numbers of another format than float and double is known by name: three operands, one lane.
define x86_fp80 @fused(x86_fp80 noundef %a, x86_fp80 noundef %b, x86_fp80 noundef %c) {
  %r = call x86_fp80 @llvm.fma.f80(x86_fp80 %a, x86_fp80 %b, x86_fp80 %c)
  %s = fadd x86_fp80 %r, %c
  ret x86_fp80 %s
}
declare x86_fp80 @llvm.fma.f80(x86_fp80, x86_fp80, x86_fp80)
