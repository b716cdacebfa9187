# It ends where the second one is behind its last.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	test edx, edx
	jle 2f
	movsxd rdx, edx
	lea r9, [rsi + rdx*4]
	lea r8, [rdi - 4]
1:
	mov eax, [rsi]
	add rsi, 4
	add r8, 4
	xor eax, [r8]
	mov [rcx], eax
	add rcx, 4
	cmp rsi, r9
	jne 1b
2:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
