# A loop that counts down, and one that counts up.
	.text
	.globl f
	.type f, @function
f:
	mv a4, a0
	add a1, a0, a1
	li a0, 0
1:
	beq a4, a1, 2f
	lbu a3, 0(a4)
	addw a0, a3, a0
	addi a4, a4, 1
	j 1b
2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
