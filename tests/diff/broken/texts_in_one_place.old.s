# Whether a text ends in another one: linkers may lay the shorter into the longer.
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
	movzx	ecx, BYTE PTR [rax+rdi]
	movzx	esi, BYTE PTR [rdx+rdi]
	add	ecx, esi
	add	rax, 2
	cmp	rax, rdx
	sete	al
	movzx	eax, al
	add	eax, ecx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
