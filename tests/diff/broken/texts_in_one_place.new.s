# It never does.
	.intel_syntax noprefix
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"exit"
.LC1:
	.string	"it"
	.text
	.globl	f
	.type	f, @function
f:
	lea	rax, .LC0[rip]
	lea	rdx, .LC1[rip]
	movzx	eax, BYTE PTR [rax+rdi]
	movzx	esi, BYTE PTR [rdx+rdi]
	add	eax, esi
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
