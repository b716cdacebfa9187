# A register of the caller is lost.
	.text
	.globl f
	.type f, @function
f:
	mv a5, a0
	add a0, a5, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
