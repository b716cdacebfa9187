# A loop that keeps its values in other registers of the caller.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push r13
	push r12
	mov r13, rdi
	mov r12d, esi
	sub rsp, 8
.L1:
	mov rdi, r13
	call g@PLT
	sub r12d, 1
	jne .L1
	add rsp, 8
	pop r12
	pop r13
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
