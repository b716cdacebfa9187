	# What lies behind a structure may be anything, another structure as well.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	movq	16(%rax), %rax
	movq	$1, (%rdx)
	addq	%rax, %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
