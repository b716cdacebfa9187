// Another function is called.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -32]!
	mov x29, sp
	bl g
	ldp x29, x30, [sp], 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
