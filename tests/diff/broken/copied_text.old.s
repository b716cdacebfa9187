# A text that one side copies from where it lies; the other has another one in the code.
	.intel_syntax noprefix
	.text
	.section	.rodata
.LC0:
	.string	"[strong \""
	.text
	.globl	f
	.type	f, @function
f:
	push	rbp
	mov	rbp, rsp
	sub	rsp, 16
	mov	QWORD PTR -8[rbp], rdi
	mov	rax, QWORD PTR -8[rbp]
	mov	edx, 9
	lea	rcx, .LC0[rip]
	mov	rsi, rcx
	mov	rdi, rax
	call	memcpy@PLT
	mov	eax, 3
	leave
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
