	# A pointer that is another one on one way may lead to something else.
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbx
	movq	%rsi, %rbx
	movq	%rdx, %rax
	cmpq	$0, (%rdi)
	je	1f
	call	g
1:	testq	%rax, %rax
	je	2f
	movq	(%rbx), %rdx
	movsbq	8(%rbx), %rcx
	movq	%rdx, (%rax)
	movb	%cl, 8(%rax)
	movq	%rcx, %rax
	popq	%rbx
	ret
2:	xorl	%eax, %eax
	popq	%rbx
	ret
.Lf_end:
	.size	f, .-f
	.include "element.types"
