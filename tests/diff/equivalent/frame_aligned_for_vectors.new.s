# A vector of 256 bits is kept in a frame that is aligned to them, or in two halves of one that is not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rsp
	push rbx
	and rsp, -32
	sub rsp, 64
	vmovdqu ymm0, [rdi]
	vmovdqa [rsp+32], ymm0
	mov rbx, rdi
	vpxor xmm0, xmm0, xmm0
	vmovdqu [rdi], ymm0
	vmovdqa ymm0, [rsp+32]
	vpslld ymm0, ymm0, 3
	vmovdqu [rbx], ymm0
	vzeroupper
	xor eax, eax
	mov rbx, [rbp-8]
	leave
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
