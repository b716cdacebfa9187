# The same of a table that is too long to be a part of memory as it is followed.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	lea rbx, t[rip]
	movzx edi, byte ptr [rbx]
	call g@PLT
	mov rdi, qword ptr [rbx+1016]
	call g@PLT
	movzx eax, byte ptr [rbx+9]
	pop rbx
	ret
	.size f, .-f
	.section .rodata
	.align 32
	.type t, @object
	.size t, 1024
t:
	.byte 255, 1, 2, 3, 4, 5, 6, 7
	.fill 1008, 1, 9
	.quad 1283
	.section .note.GNU-stack,"",@progbits
