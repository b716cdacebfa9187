	# The same, where what the pointer was moved to may be the head of something longer that has such an element in it.
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
	.set	HOLDER, 1
	.include "element.types"
