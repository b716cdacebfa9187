	# How long a constant text is tells how many bytes are compared with it.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	xor	eax, eax
	cmp	WORD PTR [rdi], 25185
	sete	al
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
