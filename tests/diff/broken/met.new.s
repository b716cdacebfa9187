# What a callee was passed the address of is written behind that, on one of two ways that meet.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov rbx, rdi
	test esi, esi
	je .L2
	mov dword ptr [rsp+12], 7
	lea rdi, [rsp+12]
	call g
	mov dword ptr [rsp+12], 0
	mov rdi, rbx
	call h
	mov rdi, rbx
	call k
	jmp .L3
.L2:
	call h
	mov rdi, rbx
	call k
.L3:
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
