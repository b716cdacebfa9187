	# The same, where what the pointer was moved to may be the head of something longer that has such an element in it.
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
	.set	HOLDER, 1
	.include "element.types"
