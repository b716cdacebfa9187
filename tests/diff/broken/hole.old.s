# A callee of the same file whose types are not known reads its first and third argument alone.
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
	mov rdx, rsi
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
