# A loop that ends where its counter is the limit, or where it is not below.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	xor edx, edx
	test rsi, rsi
	je .L2
.L1:
	movzx ecx, byte ptr [rdi+rdx]
	add rdx, 1
	add eax, ecx
	cmp rdx, rsi
	jb .L1
.L2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
