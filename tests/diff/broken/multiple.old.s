# A counter counts elements.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	test edx, edx
	jle 2f
	movsxd rdx, edx
	xor ecx, ecx
1:
	mov eax, [rsi + rcx*4]
	add [rdi + rcx*4], eax
	add rcx, 1
	cmp rdx, rcx
	jne 1b
2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
