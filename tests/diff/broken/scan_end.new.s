# The highest one is.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	bsr eax, edi
	mov ecx, 63
	cmove eax, ecx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
