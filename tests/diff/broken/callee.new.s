# Another function is called.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	jmp h
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
