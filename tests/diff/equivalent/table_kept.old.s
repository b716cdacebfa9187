# A store by a pointer changes no read-only table.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rdx, t[rip]
	and esi, 255
	mov eax, dword ptr [rdx+rsi*4]
	mov dword ptr [rdi], 5
	ret
	.size f, .-f
	.section .rodata
	.align 32
	.type t, @object
	.size t, 1024
t:
	.zero 1020
	.long 7
	.section .note.GNU-stack,"",@progbits
