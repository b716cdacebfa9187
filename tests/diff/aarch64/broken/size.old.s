// A store of half a word.
	.text
	.globl f
	.type f, %function
f:
	str w1, [x0]
	mov w0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
