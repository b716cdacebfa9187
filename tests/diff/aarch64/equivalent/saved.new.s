// Another register of the caller.
	.text
	.globl f
	.type f, %function
f:
	sub sp, sp, 48
	stp x29, x30, [sp, 16]
	str x20, [sp, 40]
	mov x20, x0
	bl g
	add x0, x20, x0
	ldr x20, [sp, 40]
	ldp x29, x30, [sp, 16]
	add sp, sp, 48
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
