# The other side has it in r9.
	.intel_syntax noprefix
	.text
	.type g, @function
g:
	push rbx
	mov rbx, rdi
	mov rsi, rdi
	mov edi, 1
	xor eax, eax
	call h
	mov rax, rbx
	pop rbx
	ret
	.size g, .-g
	.globl f
	.type f, @function
f:
	sub rsp, 8
	call k
	mov r9, [rax]
	lea rdi, [r9+4]
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
