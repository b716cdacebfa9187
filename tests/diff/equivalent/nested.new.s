	# The object is none here.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	ebx, edi
	mov	edi, 1
	call	g@PLT
	lea	eax, [rbx+7]
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
