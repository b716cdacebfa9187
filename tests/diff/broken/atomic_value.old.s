# What an atomic instruction stores is another number.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, 1
	xchg eax, dword ptr [rdi]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
