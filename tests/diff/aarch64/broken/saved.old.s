// A register of the caller is lost.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -32]!
	mov x29, sp
	str x19, [sp, 16]
	mov w19, w0
	bl g
	add w0, w0, w19
	ldr x19, [sp, 16]
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
