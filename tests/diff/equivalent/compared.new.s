	# A comparison with a constant text is one of its bytes, up to the first difference.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	cmp	BYTE PTR [rdi], 97
	jne	1f
	cmp	BYTE PTR [rdi+1], 98
	jne	1f
	xor	eax, eax
	cmp	BYTE PTR [rdi+2], 0
	sete	al
	ret
1:	xor	eax, eax
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
