# Where the address of an object went out on one of two ways that meet, or on one of two that do not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov rbx, rdi
	test esi, esi
	je .L1
	mov dword ptr [rsp+12], 7
	lea rdi, [rsp+12]
	call g
.L1:
	mov rdi, rbx
	call h
	mov rdi, rbx
	call k
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
