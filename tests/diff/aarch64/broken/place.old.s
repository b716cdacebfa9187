// Another global.
	.text
	.globl f
	.type f, %function
f:
	adrp x1, a
	ldr w0, [x1, :lo12:a]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
