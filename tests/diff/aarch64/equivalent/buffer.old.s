// An object of the frame in another place.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -48]!
	mov x29, sp
	str w0, [sp, 32]
	add x0, sp, 32
	bl g
	ldr w0, [sp, 32]
	ldp x29, x30, [sp], 48
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
