# A choice by a branch, and by masks.
	.text
	.globl f
	.type f, @function
f:
	blt a0, a1, 1f
	mv a0, a1
1:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
