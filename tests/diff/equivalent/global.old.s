# The address of an object first, or in the access.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rip+x]
	add eax, 1
	mov dword ptr [rip+x], eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
