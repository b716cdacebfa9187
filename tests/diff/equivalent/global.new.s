# The address of an object first, or in the access.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rdx, [rip+x]
	add dword ptr [rdx], 1
	mov eax, dword ptr [rdx]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
