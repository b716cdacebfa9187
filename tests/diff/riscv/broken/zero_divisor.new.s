# What a division by zero gives.
	.text
	.globl f
	.type f, @function
f:
	beqz a1, 1f
	divu a0, a0, a1
	ret
1:
	li a0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
