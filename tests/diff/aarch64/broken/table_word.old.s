// Another word of the global offset table.
	.text
	.globl f
	.type f, %function
f:
	adrp x1, :got:a
	ldr x1, [x1, :got_lo12:a]
	ldr w0, [x1]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
