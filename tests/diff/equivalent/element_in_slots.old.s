	# A pointer that lies in two slots, one of which nothing reads any more, leads to the same by the other one.
	.text
	.globl	f
	.type	f, @function
f:
	movq	8(%rdi), %rax
	subq	$16, %rax
	movq	%rsi, -16(%rsp)
	movq	%rsi, -8(%rsp)
	cmpq	$0, (%rdi)
	je	1f
	movq	-16(%rsp), %rsi
	movq	$1, (%rdi)
1:	xorl	%esi, %esi
	movq	(%rax), %rdx
	movq	-8(%rsp), %rcx
	movq	%rdx, (%rcx)
	xorl	%ecx, %ecx
	movsbq	8(%rax), %rax
	movq	-8(%rsp), %rcx
	movb	%al, 8(%rcx)
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
