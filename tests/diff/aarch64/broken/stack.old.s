// The stack pointer comes back moved.
	.text
	.globl f
	.type f, %function
f:
	sub sp, sp, 16
	str x0, [sp]
	ldr x0, [sp]
	add sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
