# It goes elsewhere.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov ecx, esi
	imul ecx, esi
	mov [rdx], ecx
	bsr r8d, edi
	xor r8d, 31
	lea eax, [r8 + rsi]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
