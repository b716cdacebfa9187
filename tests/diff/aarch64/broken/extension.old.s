// An index extended otherwise.
	.text
	.globl f
	.type f, %function
f:
	ldr w0, [x0, w1, sxtw 2]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
