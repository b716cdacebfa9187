# Another argument on the stack.
	.text
	.globl f
	.type f, @function
f:
	ld a0, 0(sp)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
