# A table of jumps behind which another function has its own.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	cmp edi, 2
	ja .L9
	lea rdx, .LT[rip]
	mov edi, edi
	movsxd rax, dword ptr [rdx+rdi*4]
	add rdx, rax
	jmp rdx
.L1:
	mov eax, 5
	ret
.L2:
	mov eax, 6
	ret
.L3:
	lea eax, [rsi+1]
	ret
.L9:
	xor eax, eax
	ret
	.size f, .-f
	.globl g
	.type g, @function
g:
	cmp edi, 1
	ja .L10
	lea rdx, .LU[rip]
	mov edi, edi
	movsxd rax, dword ptr [rdx+rdi*4]
	add rax, rdx
	jmp rax
.L11:
	mov eax, 1
	ret
.L10:
	xor eax, eax
	ret
	.size g, .-g
	.section .rodata
	.align 4
.LT:
	.long .L1-.LT
	.long .L2-.LT
	.long .L3-.LT
.LU:
	.long .L2+14-.LU
	.long .L10-.LU
	.section .note.GNU-stack,"",@progbits
