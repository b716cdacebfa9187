// Another slot of the frame.
	.text
	.globl f
	.type f, %function
f:
	sub sp, sp, 16
	stp x0, x1, [sp]
	ldr x0, [sp]
	add sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
