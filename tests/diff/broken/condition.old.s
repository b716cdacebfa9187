# Below, or below or equal.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	cmp edi, esi
	mov eax, edx
	cmovl eax, ecx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
