; More constants than fit in a list that ends early, of which another is written.
@name0 = private unnamed_addr constant [8 x i8] c"name 00\00"
@name1 = private unnamed_addr constant [8 x i8] c"name 01\00"
@name2 = private unnamed_addr constant [8 x i8] c"name 02\00"
@name3 = private unnamed_addr constant [8 x i8] c"name 03\00"
@name4 = private unnamed_addr constant [8 x i8] c"name 04\00"
@name5 = private unnamed_addr constant [8 x i8] c"name 05\00"
@name6 = private unnamed_addr constant [8 x i8] c"name 06\00"
@name7 = private unnamed_addr constant [8 x i8] c"name 07\00"
@name8 = private unnamed_addr constant [8 x i8] c"name 08\00"
@name9 = private unnamed_addr constant [8 x i8] c"name 09\00"
@name10 = private unnamed_addr constant [8 x i8] c"name 10\00"
@name11 = private unnamed_addr constant [8 x i8] c"name 11\00"
@name12 = private unnamed_addr constant [8 x i8] c"name 12\00"
@name13 = private unnamed_addr constant [8 x i8] c"name 13\00"
@name14 = private unnamed_addr constant [8 x i8] c"name 14\00"
@name15 = private unnamed_addr constant [8 x i8] c"name 15\00"
@name16 = private unnamed_addr constant [8 x i8] c"name 16\00"
@name17 = private unnamed_addr constant [8 x i8] c"name 17\00"
@name18 = private unnamed_addr constant [8 x i8] c"name 18\00"
@name19 = private unnamed_addr constant [8 x i8] c"name 19\00"
@name20 = private unnamed_addr constant [8 x i8] c"name 20\00"
@name21 = private unnamed_addr constant [8 x i8] c"name 21\00"
@name22 = private unnamed_addr constant [8 x i8] c"name 22\00"
@name23 = private unnamed_addr constant [8 x i8] c"name 23\00"
@name24 = private unnamed_addr constant [8 x i8] c"name 24\00"
@name25 = private unnamed_addr constant [8 x i8] c"name 25\00"
@name26 = private unnamed_addr constant [8 x i8] c"name 26\00"
@name27 = private unnamed_addr constant [8 x i8] c"name 27\00"
@name28 = private unnamed_addr constant [8 x i8] c"name 28\00"
@name29 = private unnamed_addr constant [8 x i8] c"name 29\00"
@name30 = private unnamed_addr constant [8 x i8] c"name 30\00"
@name31 = private unnamed_addr constant [8 x i8] c"name 31\00"
@name32 = private unnamed_addr constant [8 x i8] c"name 32\00"
@name33 = private unnamed_addr constant [8 x i8] c"name 33\00"
@name34 = private unnamed_addr constant [8 x i8] c"name 34\00"
@name35 = private unnamed_addr constant [8 x i8] c"name 35\00"
@name36 = private unnamed_addr constant [8 x i8] c"name 36\00"
@name37 = private unnamed_addr constant [8 x i8] c"name 37\00"
@name38 = private unnamed_addr constant [8 x i8] c"name 38\00"
@name39 = private unnamed_addr constant [8 x i8] c"name 39\00"

declare void @see(ptr)

define void @f(ptr %p) {
  call void @see(ptr @name0)
  call void @see(ptr @name1)
  call void @see(ptr @name2)
  call void @see(ptr @name3)
  call void @see(ptr @name4)
  call void @see(ptr @name5)
  call void @see(ptr @name6)
  call void @see(ptr @name7)
  call void @see(ptr @name8)
  call void @see(ptr @name9)
  call void @see(ptr @name10)
  call void @see(ptr @name11)
  call void @see(ptr @name12)
  call void @see(ptr @name13)
  call void @see(ptr @name14)
  call void @see(ptr @name15)
  call void @see(ptr @name16)
  call void @see(ptr @name17)
  call void @see(ptr @name18)
  call void @see(ptr @name19)
  call void @see(ptr @name20)
  call void @see(ptr @name21)
  call void @see(ptr @name22)
  call void @see(ptr @name23)
  call void @see(ptr @name24)
  call void @see(ptr @name25)
  call void @see(ptr @name26)
  call void @see(ptr @name27)
  call void @see(ptr @name28)
  call void @see(ptr @name29)
  call void @see(ptr @name30)
  call void @see(ptr @name31)
  call void @see(ptr @name32)
  call void @see(ptr @name33)
  call void @see(ptr @name34)
  call void @see(ptr @name35)
  call void @see(ptr @name36)
  call void @see(ptr @name37)
  call void @see(ptr @name38)
  call void @see(ptr @name39)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @name39, i64 8, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
