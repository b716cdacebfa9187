# Where a vector is kept in an aligned frame, the frame pointer does not know.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rsp
	and rsp, -32
	sub rsp, 64
	vmovdqu ymm0, [rdi]
	vmovdqa [rsp+32], ymm0
	vpxor xmm1, xmm1, xmm1
	vmovdqa [rsp], ymm1
	mov rax, [rbp-24]
	vzeroupper
	leave
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
