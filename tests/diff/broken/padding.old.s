	# What lies between the parts of a structure is copied with it, whatever it is.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	mov	BYTE PTR [rsp-24], sil
	mov	DWORD PTR [rsp-20], edx
	movdqu	xmm0, XMMWORD PTR [rdi+16]
	movaps	XMMWORD PTR [rsp-40], xmm0
	mov	rax, QWORD PTR [rsp-24]
	mov	QWORD PTR [rdi], rax
	mov	rax, QWORD PTR [rsp-40]
	mov	QWORD PTR [rdi+8], rax
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
