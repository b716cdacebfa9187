// An address that is added up, or accessed in two steps.
	.text
	.globl f
	.type f, %function
f:
	adrp x2, a
	ldr w1, [x2, :lo12:a]
	add w0, w1, 1
	str w0, [x2, :lo12:a]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
