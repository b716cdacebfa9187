	# The address of the object lies in another object, which nobody knows.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	sub	rsp, 24
	lea	r10, [rsp+8]
	lea	r11, [rsp+16]
	mov	QWORD PTR [r11], r10
	mov	DWORD PTR [r10], edi
	mov	edi, 1
	call	g@PLT
	mov	eax, DWORD PTR [rsp+8]
	add	eax, 7
	add	rsp, 24
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
