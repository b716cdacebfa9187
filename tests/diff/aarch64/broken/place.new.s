// Another global.
	.text
	.globl f
	.type f, %function
f:
	adrp x1, b
	ldr w0, [x1, :lo12:b]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
