# The lowest bit is searched.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	bsf eax, edi
	mov ecx, 63
	cmove eax, ecx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
