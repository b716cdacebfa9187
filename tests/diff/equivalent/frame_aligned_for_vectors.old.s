# A vector of 256 bits is kept in a frame that is aligned to them, or in two halves of one that is not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rsp
	push rbx
	sub rsp, 72
	vmovdqu ymm0, [rdi]
	vmovdqu [rsp], xmm0
	vextracti128 [rsp+16], ymm0, 1
	mov rbx, rdi
	vpxor xmm0, xmm0, xmm0
	vmovdqu [rdi], ymm0
	vmovdqu xmm0, [rsp]
	vinserti128 ymm0, ymm0, [rsp+16], 1
	vpslld ymm0, ymm0, 3
	vmovdqu [rbx], ymm0
	vzeroupper
	xor eax, eax
	add rsp, 72
	pop rbx
	pop rbp
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
