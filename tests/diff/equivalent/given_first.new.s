# What a function of the library gives back, which it was passed first.
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	f
	.type	f, @function
f:
	push	rbx
	mov	rbx, rdx
	call	memcpy@PLT
	mov	BYTE PTR [rax+rbx], 120
	mov	eax, 3
	pop	rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
