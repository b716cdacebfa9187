# A switch by a table, and by branches.
	.text
	.globl f
	.type f, @function
f:
	li a5, 1
	beq a0, a5, 1f
	li a5, 2
	beq a0, a5, 2f
	bnez a0, 3f
	li a0, 20
	ret
1:
	li a0, 7
	ret
2:
	li a0, 36
	ret
3:
	li a0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
