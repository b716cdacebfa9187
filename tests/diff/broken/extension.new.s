# A missing extension: what lies above an argument is not known.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rax, [rdi+1]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
