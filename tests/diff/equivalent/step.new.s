# An index, or an address that goes in step with it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rdx, [rdi+400]
	xor eax, eax
.L1:
	add eax, dword ptr [rdi]
	add rdi, 4
	cmp rdi, rdx
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
