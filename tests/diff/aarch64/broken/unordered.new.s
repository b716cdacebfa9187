// A comparison that a number which is none decides otherwise.
	.text
	.globl f
	.type f, %function
f:
	fcmp d0, d1
	cset w0, lt
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
