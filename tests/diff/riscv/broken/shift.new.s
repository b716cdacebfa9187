# A shift of a half by more than its width.
	.text
	.globl f
	.type f, @function
f:
	sll a0, a0, a1
	sext.w a0, a0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
