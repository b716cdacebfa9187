# An argument of 256 bits of which a callee is passed the lower half.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 8
	vmovdqu ymm0, [rdi]
	call g
	xor eax, eax
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
