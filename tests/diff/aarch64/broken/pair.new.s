// Two registers stored the other way around.
	.text
	.globl f
	.type f, %function
f:
	stp x2, x1, [x0]
	mov w0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
