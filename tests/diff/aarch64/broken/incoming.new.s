// Another argument on the stack.
	.text
	.globl f
	.type f, %function
f:
	ldr x0, [sp, 8]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
