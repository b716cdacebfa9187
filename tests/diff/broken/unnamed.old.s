# What a callee of unknown types is passed: set behind the call before.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rsi
	mov edi, 3
	call g
	mov rsi, rbx
	mov edi, 5
	call h
	mov rax, rbx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
