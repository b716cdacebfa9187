; Memory has the highest byte of a number at its lowest address, and the first lane of a vector is the highest part.
target datalayout = "E-m:e-i64:64-n32:64"

define i8 @first_byte(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %byte = load i8, ptr %p, align 4
  ret i8 %byte
}

define i32 @lanes_as_a_number(<4 x i8> noundef %v) {
  %n = bitcast <4 x i8> %v to i32
  ret i32 %n
}

define i16 @second_lane(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %lanes = load <2 x i16>, ptr %p, align 4
  %lane = extractelement <2 x i16> %lanes, i32 1
  ret i16 %lane
}
