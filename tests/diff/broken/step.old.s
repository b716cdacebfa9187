# An index, or an address that goes in step with another one: one loop runs once less.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	xor edx, edx
.L1:
	add eax, dword ptr [rdi+rdx*4]
	add rdx, 1
	cmp rdx, 100
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
