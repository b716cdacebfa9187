// A byte loaded without its sign.
	.text
	.globl f
	.type f, %function
f:
	ldrb w0, [x0]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
