	# What a callee left in it is read: it knows the place.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbp
	push	rbx
	sub	rsp, 8
	mov	rbx, rdi
	mov	rbp, rsi
	mov	rdi, rbx
	call	h@PLT
	call	g@PLT
	cmp	QWORD PTR [rbx+8], 0
	je	.Lzero
	add	rbp, 1
.Lzero:
	lea	rax, [rbp+1]
	mov	QWORD PTR [rbx+8], rax
	mov	QWORD PTR [rbx], rbp
	mov	QWORD PTR [rbx+16], rbp
	mov	QWORD PTR [rbx+24], 2
	mov	rax, rbx
	add	rsp, 8
	pop	rbx
	pop	rbp
	ret
.Lf_end:
	.size	f, .-f
	.include "place.types"
