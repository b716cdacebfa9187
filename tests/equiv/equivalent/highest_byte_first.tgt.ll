target datalayout = "E-m:e-i64:64-n32:64"

define i8 @first_byte(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %high = lshr i32 %v, 24
  %byte = trunc i32 %high to i8
  ret i8 %byte
}

define i32 @lanes_as_a_number(<4 x i8> noundef %v) {
  %a = extractelement <4 x i8> %v, i32 0
  %b = extractelement <4 x i8> %v, i32 1
  %c = extractelement <4 x i8> %v, i32 2
  %d = extractelement <4 x i8> %v, i32 3
  %wa = zext i8 %a to i32
  %wb = zext i8 %b to i32
  %wc = zext i8 %c to i32
  %wd = zext i8 %d to i32
  %sa = shl i32 %wa, 24
  %sb = shl i32 %wb, 16
  %sc = shl i32 %wc, 8
  %ab = or i32 %sa, %sb
  %cd = or i32 %sc, %wd
  %n = or i32 %ab, %cd
  ret i32 %n
}

define i16 @second_lane(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %lane = trunc i32 %v to i16
  ret i16 %lane
}
