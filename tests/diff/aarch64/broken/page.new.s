// The page of one object, and the place of another in its own.
	.text
	.globl f
	.type f, %function
f:
	adrp x1, b
	ldr w0, [x1, :lo12:a]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
