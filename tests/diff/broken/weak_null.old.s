# The address of a function that a linker may leave out may be null.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	.weak g
	lea rax, g[rip]
	mov v[rip], rax
	mov rax, v[rip]
	test rax, rax
	je .L1
	mov eax, 3
	ret
.L1:
	sub rsp, 8
	call abort@PLT
	.size f, .-f
	.local v
	.comm v, 8, 8
	.section .note.GNU-stack,"",@progbits
