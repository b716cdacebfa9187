// An object of the frame in another place.
	.text
	.globl f
	.type f, %function
f:
	sub sp, sp, 32
	stp x29, x30, [sp]
	mov x29, sp
	str w0, [sp, 16]
	add x0, sp, 16
	bl g
	ldr w0, [sp, 16]
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
