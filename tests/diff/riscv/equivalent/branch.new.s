# A choice by a branch, and by masks.
	.text
	.globl f
	.type f, @function
f:
	slt a2, a0, a1
	neg a2, a2
	xor a3, a0, a1
	and a3, a3, a2
	xor a0, a3, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
