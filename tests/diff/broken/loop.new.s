# A loop runs once more.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
.L1:
	add eax, esi
	sub edi, 1
	jns .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
