	# What lies behind a text is none of it.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	lea	rdx, .LC0[rip]
	mov	DWORD PTR [rdi], esi
	movzx	eax, BYTE PTR [rdx+1]
	movzx	ecx, BYTE PTR [rdx+5]
	add	eax, ecx
	ret
	.size	f, .-f
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"abcd"
	.section	.note.GNU-stack,"",@progbits
