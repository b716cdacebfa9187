// A product by shifts.
	.text
	.globl f
	.type f, %function
f:
	add w0, w0, w0, lsl 3
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
