// An address that is added up, or accessed in two steps.
	.text
	.globl f
	.type f, %function
f:
	adrp x1, a
	add x1, x1, :lo12:a
	ldr w0, [x1]
	add w0, w0, 1
	str w0, [x1]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
