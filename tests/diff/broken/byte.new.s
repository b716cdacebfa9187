# The rest of the register is given, too.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	test rdi, rdi
	sete al
	or al, sil
	nop
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
