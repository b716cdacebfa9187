#!/bin/sh
# A shortened memset promises more bytes than its pointer has: clang-19 -O2.
# Exit status: 1 when the bug shows, 0 when it does not, 2 when that cannot be told.
cd "$(dirname "$0")" || exit 2
ir=$(clang-19 -O2 -w -S -emit-llvm -o - program.c) || exit 2
echo "$ir" | grep -a 'call void @llvm.memset'
if echo "$ir" | grep -a 'i64 840, i1 false' | grep -q 'dereferenceable(848)'
then echo 'the bug shows'; exit 1; fi
echo 'the bug does not show'; exit 0
