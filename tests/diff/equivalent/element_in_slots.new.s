	# A pointer that lies in two slots, one of which nothing reads any more, leads to the same by the other one.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rcx
	cmpq	$0, (%rdi)
	je	1f
	movq	$1, (%rdi)
1:	movq	-16(%rcx), %rdx
	movsbq	-8(%rcx), %rax
	movq	%rdx, (%rsi)
	movb	%al, 8(%rsi)
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
