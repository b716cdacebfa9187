# What is loaded ahead of a call of another function may be something else behind it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, qword ptr [rdi+8]
	call h
	add rax, rbx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
