# A loop that counts down, and one that counts up.
	.text
	.globl f
	.type f, @function
f:
	mv a2, a0
	li a0, 0
1:
	beqz a1, 2f
	lbu a3, 0(a2)
	addi a2, a2, 1
	addi a1, a1, -1
	addw a0, a0, a3
	j 1b
2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
