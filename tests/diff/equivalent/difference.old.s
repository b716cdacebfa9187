# What is left of a buffer is told from the end before a loop, or behind it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	movzx edx, dl
	add rdi, rsi
	lea r9, [rdi+rdx]
	sub r8, r9
	xor eax, eax
.L1:
	add rax, 1
	cmp rax, rdx
	jb .L1
	cmp r8, 4
	seta al
	movzx eax, al
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
