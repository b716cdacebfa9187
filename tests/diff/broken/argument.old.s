# An argument differs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 8
	mov edi, 3
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
