# Another register keeps a value over a call.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push r12
	mov r12d, edi
	call g
	add eax, r12d
	pop r12
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
