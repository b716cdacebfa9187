# A fence is dropped between two stores.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], 1
	mfence
	mov dword ptr [rsi], 2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
