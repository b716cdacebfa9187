# A store moves behind an atomic instruction.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lock add dword ptr [rdi], 2
	mov dword ptr [rsi], 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
