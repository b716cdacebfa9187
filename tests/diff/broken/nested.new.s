	# Nobody knows of the object.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	ebx, edi
	mov	QWORD PTR [rdx], 0
	mov	edi, 1
	call	g@PLT
	mov	eax, ebx
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
