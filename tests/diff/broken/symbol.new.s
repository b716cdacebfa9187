# Another object is read.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rip+y]
	inc eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
