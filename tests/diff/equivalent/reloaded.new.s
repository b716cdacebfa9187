	# A pointer that was stored and is loaded again is the same one: what was written by it is there.
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
	movq	%r8, %rax
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
