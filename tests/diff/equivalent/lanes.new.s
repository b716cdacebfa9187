# A word in a loop, and a vector of two of them.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	movq xmm0, qword ptr [rdi]
	lea rcx, [rdi+256]
	punpcklqdq xmm0, xmm0
.L1:
	movups xmmword ptr [rdi+16], xmm0
	add rdi, 16
	cmp rdi, rcx
	jne .L1
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
