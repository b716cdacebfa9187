# A store of half a word.
	.text
	.globl f
	.type f, @function
f:
	sh a1, 0(a0)
	li a0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
