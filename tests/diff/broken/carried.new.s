# What a loop stored is loaded in the next round, or what it added to is kept instead.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov edx, dword ptr [rdi]
	lea rax, [rdi+4]
	lea rcx, [rdi+92]
.L1:
	mov esi, dword ptr [rax]
	add rax, 4
	add edx, esi
	mov dword ptr [rax-4], edx
	mov edx, esi
	cmp rax, rcx
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
