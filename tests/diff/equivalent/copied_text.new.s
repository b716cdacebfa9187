# A text that one side copies from where it lies, in a section that is not merged, and the other has in the code.
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	f
	.type	f, @function
f:
	movabs	rax, 2334956330985747291
	mov	BYTE PTR 8[rdi], 34
	mov	QWORD PTR [rdi], rax
	mov	eax, 3
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
