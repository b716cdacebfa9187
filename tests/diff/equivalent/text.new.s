	# What a text holds is known, though it has no symbol with a size.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	mov	DWORD PTR [rdi], esi
	mov	eax, 98
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
