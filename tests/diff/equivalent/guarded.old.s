# The limit of the inner loop is computed in front of the question whether it runs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	and edx, 3
	je 4f
	lea eax, [rsi - 1]
	lea r9, [rdi + rax + 1]
	mov r8d, esi
	movsxd r10, ecx
1:
	mov rcx, rdi
	test r8d, r8d
	jle 3f
2:
	mov r11b, [rcx]
	add rcx, 1
	not r11b
	mov [rcx - 1], r11b
	cmp rcx, r9
	jne 2b
3:
	add rdi, r10
	add r9, r10
	sub edx, 1
	jne 1b
4:
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
