	# What a text holds is known, though it has no symbol with a size.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	lea	rdx, .LC0[rip]
	mov	DWORD PTR [rdi], esi
	movzx	eax, BYTE PTR [rdx+1]
	movzx	ecx, BYTE PTR [rdx+4]
	add	eax, ecx
	ret
	.size	f, .-f
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"abcd"
	.section	.note.GNU-stack,"",@progbits
