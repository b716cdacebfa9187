	# A pointer that was stored is there still, and the character that was written by it: a number is neither.
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
	movsbq	8(%rax), %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
