# What a loop stored is loaded in the next round, or what it added to is kept instead.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rax, [rdi+4]
	lea rcx, [rdi+92]
.L1:
	mov edx, dword ptr [rax-4]
	add dword ptr [rax], edx
	add rax, 4
	cmp rcx, rax
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
