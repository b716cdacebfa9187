// Another register of the caller.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -32]!
	mov x29, sp
	str x19, [sp, 16]
	mov x19, x0
	bl g
	add x0, x0, x19
	ldr x19, [sp, 16]
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
