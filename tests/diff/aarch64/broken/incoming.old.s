// Another argument on the stack.
	.text
	.globl f
	.type f, %function
f:
	ldr x0, [sp]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
