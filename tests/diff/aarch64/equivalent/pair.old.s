// Two loads, or one of two registers.
	.text
	.globl f
	.type f, %function
f:
	ldr x1, [x0]
	ldr x2, [x0, 8]
	add x0, x1, x2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
