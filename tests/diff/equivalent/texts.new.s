# The byte is in the code.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	test	edi, edi
	jne	.L2
	mov	edi, 1
	jmp	h@PLT
.L2:
	mov	edi, 2
	jmp	h@PLT
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
