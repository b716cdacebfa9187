# A loop runs once more.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	test edi, edi
	je .L2
.L1:
	add eax, esi
	sub edi, 1
	jne .L1
.L2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
