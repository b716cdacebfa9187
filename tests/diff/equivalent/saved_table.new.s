# A table of places in a register that the body of another function saves.
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	f
	.type	f, @function
f:
	push	r12
	xor	r12d, r12d
	push	rbp
	lea	rbp, .L5[rip]
	push	rbx
	mov	rbx, rdi
	.p2align 4,,10
	.p2align 3
.L2:
	add	rbx, 1
	cmp	BYTE PTR -1[rbx], 5
	ja	.L1
	movzx	eax, BYTE PTR -1[rbx]
	movsx	rax, DWORD PTR 0[rbp+rax*4]
	add	rax, rbp
	jmp	rax
	.section	.rodata
	.align 4
	.align 4
.L5:
	.long	.L10-.L5
	.long	.L9-.L5
	.long	.L8-.L5
	.long	.L7-.L5
	.long	.L6-.L5
	.long	.L4-.L5
	.text
	.p2align 4,,10
	.p2align 3
.L6:
	lea	r12d, [r12+r12*8]
	jmp	.L2
	.p2align 4,,10
	.p2align 3
.L7:
	sub	r12d, 7
	jmp	.L2
	.p2align 4,,10
	.p2align 3
.L8:
	xor	r12d, 5
	jmp	.L2
	.p2align 4,,10
	.p2align 3
.L9:
	add	r12d, 3
	jmp	.L2
	.p2align 4,,10
	.p2align 3
.L10:
	call	next@PLT
	lea	r12d, [rax+r12*2]
	jmp	.L2
	.p2align 4,,10
	.p2align 3
.L4:
	or	r12d, 64
	jmp	.L2
.L1:
	mov	eax, r12d
	pop	rbx
	pop	rbp
	pop	r12
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
