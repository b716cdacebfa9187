declare i1 @llvm.is.fpclass.f32(float, i32)
define i1 @is_zero(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 96)
  ret i1 %r
}
