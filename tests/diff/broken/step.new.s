# An index, or an address that goes in step with another one: one loop runs once less.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rdx, [rdi+396]
	xor eax, eax
.L1:
	add eax, dword ptr [rdi]
	add rdi, 4
	cmp rdi, rdx
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
