	# A pointer that is null on one way leads, where it is used, to what it does on the other one.
	.text
	.globl	f
	.type	f, @function
f:
	pushq	%rbx
	pushq	%rbp
	subq	$24, %rsp
	movq	%rsi, %rbp
	movq	$0, 8(%rsp)
	cmpq	$0, (%rdi)
	je	1f
	call	g
	movq	%rax, 8(%rsp)
1:	movq	8(%rsp), %rax
	testq	%rax, %rax
	je	2f
	movq	8(%rsp), %rax
	movq	(%rbp), %rdx
	movq	%rdx, (%rax)
	movsbq	8(%rbp), %rdx
	movq	8(%rsp), %rax
	movb	%dl, 8(%rax)
	movsbq	8(%rbp), %rax
	jmp	3f
2:	xorl	%eax, %eax
3:	addq	$24, %rsp
	popq	%rbp
	popq	%rbx
	ret
.Lf_end:
	.size	f, .-f
	.set	UNTOLD, 1
	.include "element.types"
