# A constant differs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea eax, [rdi+1]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
