# Two texts of which one is looked into.
	.intel_syntax noprefix
	.section	.rodata
.LC0:
	.string	"exit"
.LC1:
	.string	"signal"
	.text
	.globl	f
	.type	f, @function
f:
	push	rbp
	mov	rbp, rsp
	sub	rsp, 32
	mov	DWORD PTR -20[rbp], edi
	lea	rax, .LC0[rip]
	mov	QWORD PTR -8[rbp], rax
	cmp	DWORD PTR -20[rbp], 0
	je	.L2
	lea	rax, .LC1[rip]
	mov	QWORD PTR -8[rbp], rax
.L2:
	mov	rax, QWORD PTR -8[rbp]
	movzx	eax, BYTE PTR [rax]
	cmp	al, 101
	jne	.L3
	mov	edi, 1
	call	h@PLT
	jmp	.L4
.L3:
	mov	edi, 2
	call	h@PLT
.L4:
	leave
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
