# A loop that counts up, or down.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	test edi, edi
	je .L2
.L1:
	sub edi, 1
	lea eax, [rax+rsi]
	test edi, edi
	jne .L1
.L2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
