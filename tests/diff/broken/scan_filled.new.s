# Another number is.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, 33
	bsf eax, edi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
