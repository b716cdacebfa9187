; The end of an area is computed before it is known that there is one: the source may step anywhere.
define ptr @end(ptr %area, i64 %length) {
  %end = getelementptr i8, ptr %area, i64 %length
  ret ptr %end
}
