# A shift of a half by more than its width.
	.text
	.globl f
	.type f, @function
f:
	sllw a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
