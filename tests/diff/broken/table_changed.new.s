# A store by a pointer may change a table that can be written.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rdx, t[rip]
	and esi, 255
	mov dword ptr [rdi], 5
	mov eax, dword ptr [rdx+rsi*4]
	ret
	.size f, .-f
	.section .data
	.align 32
	.type t, @object
	.size t, 1024
t:
	.zero 1020
	.long 7
	.section .note.GNU-stack,"",@progbits
