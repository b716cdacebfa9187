// Where a callee puts its result is missing.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -32]!
	mov x29, sp
	add x8, x0, 16
	bl g
	mov w0, 0
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
