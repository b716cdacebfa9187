# A comparison that holds of equal numbers, too.
	.text
	.globl f
	.type f, @function
f:
	bge a1, a0, 1f
	li a0, 0
	ret
1:
	li a0, 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
