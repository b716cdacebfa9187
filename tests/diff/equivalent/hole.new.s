# The third argument comes by way of another register.
	.intel_syntax noprefix
	.text
	.type g, @function
g:
	lea rax, [rdi+rdx]
	ret
	.size g, .-g
	.globl f
	.type f, @function
f:
	sub rsp, 8
	mov rax, rsi
	mov rdx, rax
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
