	# What the second object holds, the later callee sees.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	sub	rsp, 40
	lea	r10, [rsp+8]
	lea	r11, [rsp+24]
	mov	DWORD PTR [r10], edi
	mov	QWORD PTR [r11], 0
	mov	edi, 1
	call	g@PLT
	lea	rdi, [rsp+24]
	call	h@PLT
	mov	eax, DWORD PTR [rsp+8]
	add	rsp, 40
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
