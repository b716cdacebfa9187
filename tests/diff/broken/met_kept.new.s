# What a callee that was passed its address may have written to an object is forgotten behind another call.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	push rbp
	sub rsp, 24
	mov rbx, rdi
	mov ebp, 7
	mov dword ptr [rsp+12], 7
	test esi, esi
	je .L1
	lea rdi, [rsp+12]
	call g
	mov ebp, dword ptr [rsp+12]
.L1:
	mov rdi, rbx
	call h
	mov eax, ebp
	add rsp, 24
	pop rbp
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
