# A sum of words, and of halves.
	.text
	.globl f
	.type f, @function
f:
	add a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
