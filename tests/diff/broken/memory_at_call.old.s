# A store moves behind a call.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rdi
	mov dword ptr [rbx], 1
	call g
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
