// Two loads, or one of two registers.
	.text
	.globl f
	.type f, %function
f:
	ldp x2, x1, [x0]
	add x0, x1, x2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
