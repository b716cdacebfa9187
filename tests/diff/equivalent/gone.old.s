	# An object below the stack of a call is gone: the other side has given up its frame by then.
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
	add	rsp, 32
	mov	edi, eax
	mov	esi, ebx
	call	h
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
