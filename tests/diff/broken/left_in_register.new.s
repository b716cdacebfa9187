	# The second argument may be the address of the object.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	sub	rsp, 24
	lea	rsi, [rsp+8]
	mov	DWORD PTR [rsi], edi
	mov	edi, 1
	call	g@PLT
	mov	eax, DWORD PTR [rsp+8]
	add	rsp, 24
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
