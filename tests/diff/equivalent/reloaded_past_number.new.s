	# A pointer that was stored is there still, and the character that was written by it: a number is neither.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	movq	(%rsi), %rdx
	movsbq	8(%rsi), %r8
	movq	%rdx, (%rax)
	movb	%r8b, 8(%rax)
	leaq	16(%rax), %rdx
	movq	%rdx, 8(%rdi)
	movq	$0, (%rcx)
	movq	%r8, %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
