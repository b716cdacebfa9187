	# What was written by a pointer is no longer there, where a number of that type was written, maybe in the same place.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	movq	(%rsi), %rdx
	movq	%rdx, (%rax)
	movzbl	8(%rsi), %edx
	movb	%dl, 8(%rax)
	leaq	16(%rax), %rdx
	movq	%rdx, 8(%rdi)
	movq	$0, (%rcx)
	movq	8(%rdi), %rax
	subq	$16, %rax
	movq	(%rax), %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
