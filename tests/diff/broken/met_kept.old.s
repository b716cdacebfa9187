# What a callee that was passed its address may have written to an object is forgotten behind another call.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov rbx, rdi
	mov dword ptr [rsp+12], 7
	test esi, esi
	je .L1
	lea rdi, [rsp+12]
	call g
.L1:
	mov rdi, rbx
	call h
	mov eax, dword ptr [rsp+12]
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
