# A register of the caller is lost.
	.text
	.globl f
	.type f, @function
f:
	mv s1, a0
	add a0, s1, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
