	# A comparison with a constant text looks at the byte that ends it, too.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	cmp	BYTE PTR [rdi], 97
	jne	1f
	cmp	BYTE PTR [rdi+1], 98
	jne	1f
	mov	eax, 1
	ret
1:	xor	eax, eax
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
