# A search for a bit goes where something lies that was used before.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, esi
	imul eax, esi
	mov [rdx], eax
	bsr eax, edi
	xor eax, 31
	add eax, esi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
