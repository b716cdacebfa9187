# The addresses of two objects trade places as arguments.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov qword ptr [rsp], rdi
	mov qword ptr [rsp+8], rsi
	mov rsi, rsp
	lea rdi, [rsp+8]
	call g
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
