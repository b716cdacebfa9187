# A byte of a register is set before anything is known of the rest.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	test rdi, rdi
	sete al
	or al, sil
	movzx eax, al
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
