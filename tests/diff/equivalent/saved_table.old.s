# A table of places in a register that the body of another function saves.
	.intel_syntax noprefix
	.text
	.p2align 4
	.type	twice, @function
twice:
	push	rbx
	mov	ebx, edi
	call	next@PLT
	lea	eax, [rax+rbx*2]
	pop	rbx
	ret
	.size	twice, .-twice
	.p2align 4
	.globl	f
	.type	f, @function
f:
	push	rbx
	xor	eax, eax
	lea	rbx, .L8[rip]
	push	rbp
	mov	rbp, rdi
	sub	rsp, 8
	.p2align 4,,10
	.p2align 3
.L5:
	add	rbp, 1
	cmp	BYTE PTR -1[rbp], 5
	ja	.L4
	movzx	edx, BYTE PTR -1[rbp]
	movsx	rdx, DWORD PTR 0[rbx+rdx*4]
	add	rdx, rbx
	jmp	rdx
	.section	.rodata
	.align 4
	.align 4
.L8:
	.long	.L13-.L8
	.long	.L12-.L8
	.long	.L11-.L8
	.long	.L10-.L8
	.long	.L9-.L8
	.long	.L7-.L8
	.text
	.p2align 4,,10
	.p2align 3
.L9:
	lea	eax, [rax+rax*8]
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L10:
	sub	eax, 7
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L11:
	xor	eax, 5
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L12:
	add	eax, 3
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L13:
	mov	edi, eax
	call	twice
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L7:
	or	eax, 64
	jmp	.L5
.L4:
	add	rsp, 8
	pop	rbp
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
