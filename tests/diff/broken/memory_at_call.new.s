# A store moves behind a call.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rdi
	call g
	mov dword ptr [rbx], 1
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
