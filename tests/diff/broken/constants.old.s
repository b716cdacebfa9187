# What a table of the file holds, and what it does not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	push rbx
	sub rsp, 8
	mov rbp, rdi
	lea rbx, t[rip]
	mov rsi, qword ptr [rbx]
	mov rdi, rbp
	call g@PLT
	mov rsi, qword ptr [rbx+16]
	mov rdi, rbp
	call g@PLT
	add rsp, 8
	pop rbx
	pop rbp
	ret
	.size f, .-f
	.section .data.rel.ro.local,"aw"
	.align 16
	.type t, @object
	.size t, 48
t:
	.quad s0, 7, s1, 9, 0, 0
	.section .rodata.str1.1,"aMS",@progbits,1
s0:
	.string "a"
s1:
	.string "b"
	.section .note.GNU-stack,"",@progbits
