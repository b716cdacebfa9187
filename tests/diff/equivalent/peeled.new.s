	# The first round has been made of a loop over a table.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	push	r12
	push	rbx
	sub	rsp, 8
	xor	ebx, ebx
	lea	r12, texts[rip]
	lea	rdi, .LC0[rip]
	jmp	.Lfirst
.Lnext:
	mov	rdi, QWORD PTR [r12+rbx*8]
.Lfirst:
	call	g@PLT
	add	rbx, 1
	cmp	rbx, 3
	jne	.Lnext
	add	rsp, 8
	pop	rbx
	pop	r12
	ret
	.size	f, .-f
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"one"
.LC1:
	.string	"two"
.LC2:
	.string	"three"
	.section	.data.rel.ro.local,"aw"
	.align 8
	.type	texts, @object
	.size	texts, 24
texts:
	.quad	.LC0
	.quad	.LC1
	.quad	.LC2
	.section	.note.GNU-stack,"",@progbits
