	# How long a constant text is tells how many bytes are compared with it: the second one, too.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	xor	eax, eax
	cmp	BYTE PTR [rdi], 97
	sete	al
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
