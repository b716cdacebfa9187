# What a table of the file holds, and what it does not.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rdi
	lea rsi, s0[rip]
	call g@PLT
	lea rsi, s0[rip]
	mov rdi, rbp
	call g@PLT
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
