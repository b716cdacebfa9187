	# Its address goes out behind the call, and it is memory then.
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
	mov	QWORD PTR [rbx], rbp
	lea	rax, [rbp+1]
	mov	QWORD PTR [rbx+8], rax
	call	g@PLT
	mov	rdi, rbx
	call	h@PLT
	call	g@PLT
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
