// Two registers stored the other way around.
	.text
	.globl f
	.type f, %function
f:
	stp x1, x2, [x0]
	mov w0, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
