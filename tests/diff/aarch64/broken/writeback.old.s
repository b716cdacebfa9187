// A base that moves before the access, not behind it.
	.text
	.globl f
	.type f, %function
f:
	ldr x1, [x0], 8
	sub x0, x0, x1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
