# A branch, or a conditional move.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, edi
	neg eax
	cmovs eax, edi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
