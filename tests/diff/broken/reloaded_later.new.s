	# A pointer that was stored is no longer there, where a number was written that may be in the same place.
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
