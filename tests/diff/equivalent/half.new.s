	# It is computed again in a whole register, ahead of the loop.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	push	rbp
	push	r12
	push	r13
	sub	rsp, 24
	mov	rbx, rdi
	mov	r12d, esi
	mov	ebp, edx
.L2:
	mov	rdi, rbx
	call	g@PLT
	mov	r13, rax
	test	r12d, r12d
	js	.L4
	lea	r8, [r12+2]
	mov	eax, 1
	xor	ecx, ecx
.L3:
	mov	edx, DWORD PTR [rbx+rax*4]
	add	rax, 1
	add	rcx, rdx
	cmp	r8, rax
	jne	.L3
	add	r13, rcx
.L4:
	sub	ebp, 1
	jne	.L2
	mov	rax, r13
	add	rsp, 24
	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
