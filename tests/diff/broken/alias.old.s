# A load moves over a store that may be to the same place.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rdi]
	mov dword ptr [rsi], 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
