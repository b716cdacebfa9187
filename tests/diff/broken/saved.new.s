# A register of the caller is lost.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 8
	mov ebx, edi
	call g
	add eax, ebx
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
