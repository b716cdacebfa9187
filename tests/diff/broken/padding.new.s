	# A part of the structure is not set.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	mov	BYTE PTR [rsp-16], sil
	mov	DWORD PTR [rdi+20], edx
	movdqu	xmm0, XMMWORD PTR [rdi+16]
	movaps	XMMWORD PTR [rsp-40], xmm0
	mov	rax, QWORD PTR [rsp-16]
	mov	QWORD PTR [rdi], rax
	mov	rax, QWORD PTR [rsp-40]
	mov	QWORD PTR [rdi+8], rax
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
