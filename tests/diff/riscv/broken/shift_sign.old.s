# Zeros that come in, and the sign.
	.text
	.globl f
	.type f, @function
f:
	srlw a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
