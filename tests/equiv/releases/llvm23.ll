; As LLVM 23 prints: numbers rounded to their type, bits of any type, infinities and NaNs by name.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@tenth = dso_local global float 1.000000e-01, align 4
@limits = dso_local constant [2 x double] [double +inf, double -inf], align 16

define dso_local float @short(float noundef %x) local_unnamed_addr #0 {
entry:
  %y = fmul float %x, 1.000000e-01
  ret float %y
}

define dso_local double @bits(double noundef %x) local_unnamed_addr #0 {
entry:
  %y = fmul double %x, f0x41E0000000000000
  %z = fadd double %y, 0x1.8p3
  ret double %z
}

define dso_local double @none(i1 noundef %c) local_unnamed_addr #0 {
entry:
  %z = select i1 %c, double +nan(0x3), double -qnan
  ret double %z
}

define dso_local half @half(half noundef %x) local_unnamed_addr #0 {
entry:
  %y = fadd half %x, 9.997550e-02
  ret half %y
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
