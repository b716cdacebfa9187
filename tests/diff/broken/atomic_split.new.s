# One atomic instruction becomes two, or one of another place first.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lock add dword ptr [rsi], 1
	lock add dword ptr [rdi], 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
