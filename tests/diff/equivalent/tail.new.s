# A call and a return, or a jump.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	jmp g
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
