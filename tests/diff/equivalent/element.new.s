	# A copy of the last element of a row, whose tag is the same behind it: elements overlap nowhere in part.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	movq	-16(%rax), %rdx
	movsbq	-8(%rax), %rax
	movq	%rdx, (%rsi)
	movb	%al, 8(%rsi)
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
