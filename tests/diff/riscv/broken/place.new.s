# A load of another place.
	.text
	.globl f
	.type f, @function
f:
	ld a0, 16(a0)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
