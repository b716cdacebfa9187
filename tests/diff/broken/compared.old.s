	# A comparison with a constant text looks at the byte that ends it, too.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	sub	rsp, 8
	lea	rsi, .LC0[rip]
	call	strcmp@PLT
	test	eax, eax
	sete	al
	movzx	eax, al
	add	rsp, 8
	ret
	.size	f, .-f
	.section	.rodata
.LC0:
	.string	"ab"
	.section	.note.GNU-stack,"",@progbits
