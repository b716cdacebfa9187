# An exchange expects another number.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, 3
	lock cmpxchg dword ptr [rdi], esi
	sete al
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
