# A branch, or a conditional move.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, edi
	test edi, edi
	jns .L1
	neg eax
.L1:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
