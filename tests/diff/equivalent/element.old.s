	# A copy of the last element of a row, whose tag is the same behind it: elements overlap nowhere in part.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	subq	$16, %rax
	movq	%rax, -8(%rsp)
	movq	(%rax), %rdx
	movq	%rdx, (%rsi)
	movq	-8(%rsp), %rax
	movzbl	8(%rax), %edx
	movb	%dl, 8(%rsi)
	movq	-8(%rsp), %rax
	movsbq	8(%rax), %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
