	# What is there for a call may be looked at, where another one was given its address; the new code has given it up.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	ebx, esi
	sub	rsp, 32
	mov	QWORD PTR [rsp+8], rdi
	lea	rdi, [rsp+8]
	call	g
	mov	edi, eax
	mov	esi, ebx
	call	h
	add	rsp, 32
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
