# A word in a loop, and a vector of two of them.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov rax, qword ptr [rdi]
	lea rcx, [rdi+256]
.L1:
	mov qword ptr [rdi+16], rax
	add rdi, 16
	mov qword ptr [rdi+8], rax
	cmp rdi, rcx
	jne .L1
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
