# What a callee of unknown types is passed, set ahead of a branch: here it is not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rsi
	mov edi, 3
	call g
	mov edi, 5
	test rbx, rbx
	je 1f
	mov edi, 6
1:
	call h
	mov rax, rbx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
