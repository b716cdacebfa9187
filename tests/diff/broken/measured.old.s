	# How long a constant text is tells how many bytes are compared with it: the second one, too.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	rbx, rdi
	sub	rsp, 16
	lea	rdi, .LC0[rip]
	mov	QWORD PTR [rsp+8], rdi
	call	strlen@PLT
	mov	rdx, rax
	mov	rsi, QWORD PTR [rsp+8]
	mov	rdi, rbx
	call	memcmp@PLT
	test	eax, eax
	sete	al
	movzx	eax, al
	add	rsp, 16
	pop	rbx
	ret
	.size	f, .-f
	.section	.rodata
.LC0:
	.string	"ab"
	.section	.note.GNU-stack,"",@progbits
