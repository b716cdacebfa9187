	# A pointer that is null on one way leads, where it is used, to what it does on the other one.
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbx
	movq	%rsi, %rbx
	cmpq	$0, (%rdi)
	je	2f
	call	g
	testq	%rax, %rax
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
