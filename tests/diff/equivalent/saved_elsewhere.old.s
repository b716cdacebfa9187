# A loop that keeps its values in other registers of the caller.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	push rbx
	mov rbx, rdi
	mov ebp, esi
	sub rsp, 8
.L1:
	mov rdi, rbx
	call g@PLT
	sub ebp, 1
	jne .L1
	add rsp, 8
	pop rbx
	pop rbp
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
