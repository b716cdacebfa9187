# An atomic instruction loses its lock.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lock add dword ptr [rdi], 2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
