// A value in a register, or in a slot of the frame.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -32]!
	mov x29, sp
	str w0, [sp, 28]
	bl g
	ldr w1, [sp, 28]
	add w0, w0, w1
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
