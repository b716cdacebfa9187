# It counts bytes, of one element more.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	test edx, edx
	jle 2f
	movsxd rdx, edx
	xor ecx, ecx
	lea r8, [rdx*4 + 4]
1:
	mov eax, [rsi + rcx]
	add [rdi + rcx], eax
	add rcx, 4
	cmp r8, rcx
	jne 1b
2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
