	# The bound of the inner loop is kept in half of a register: of negative numbers it is another one.
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
	lea	eax, [r12+2]
	mov	DWORD PTR [rsp+8], eax
.L2:
	mov	rdi, rbx
	call	g@PLT
	mov	r13, rax
	cmp	r12d, -2
	je	.L4
	mov	r8d, DWORD PTR [rsp+8]
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
