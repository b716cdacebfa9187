	# What lies behind a structure may be anything, another structure as well.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	movq	16(%rax), %rcx
	movq	$1, (%rdx)
	addq	16(%rax), %rcx
	movq	%rcx, %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
