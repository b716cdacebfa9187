	# An object below the stack of a call is gone: the other side has given up its frame by then.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	ebx, esi
	sub	rsp, 16
	mov	QWORD PTR [rsp+8], rdi
	lea	rdi, [rsp+8]
	call	g
	mov	edi, eax
	mov	esi, ebx
	add	rsp, 16
	pop	rbx
	jmp	h
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
