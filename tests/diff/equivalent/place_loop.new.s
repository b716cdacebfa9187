	# The calls of a loop do not know of it, either.
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
	mov	QWORD PTR [rbx], 7
	mov	QWORD PTR [rbx+16], 9
	mov	QWORD PTR [rbx+24], 2
.Lmore:
	call	g@PLT
	sub	rbp, 1
	jne	.Lmore
	mov	QWORD PTR [rbx+8], rbp
	mov	rax, rbx
	add	rsp, 8
	pop	rbx
	pop	rbp
	ret
.Lf_end:
	.size	f, .-f
	.include "place.types"
