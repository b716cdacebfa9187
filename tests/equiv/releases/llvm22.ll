; As LLVM 22 prints: addresses without provenance, lifetimes without sizes, sizes of what is dead after return.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@where = dso_local global i64 ptrtoaddr (ptr @place to i64), align 8

define dso_local i64 @place(ptr noundef captures(address) %p) local_unnamed_addr #0 {
entry:
  %a = ptrtoaddr ptr %p to i64
  %low = and i64 %a, 15
  ret i64 %low
}

define dso_local i32 @slot(i32 noundef %x) #1 {
entry:
  %s = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %s)
  store i32 %x, ptr %s, align 4
  %v = load i32, ptr %s, align 4
  call void @llvm.lifetime.end.p0(ptr nonnull %s)
  ret i32 %v
}

define dso_local void @gone(ptr dead_on_return(8) noundef align 4 captures(none) %p) #2 {
entry:
  store i32 1, ptr %p, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3
declare i32 @llvm.abs.i32(i32, i1 immarg) #4

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable }
attributes #1 = { nounwind memory(none, target_mem0: read) flatten }
attributes #2 = { nounwind "modular-format"="printf,1,2,__printf_modular,float" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
