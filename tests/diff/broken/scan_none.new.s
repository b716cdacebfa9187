# Another number stands for none.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	bsf eax, edi
	mov ecx, 31
	cmove eax, ecx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
