# The third argument is another one.
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
	lea rdx, [rsi+1]
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
