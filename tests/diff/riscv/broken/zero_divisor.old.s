# What a division by zero gives.
	.text
	.globl f
	.type f, @function
f:
	divu a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
