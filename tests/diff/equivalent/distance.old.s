# An entry of a table of jumps is found by its distance as a whole, and extended later.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rsp
	mov dword ptr [rbp-4], edi
	mov dword ptr [rbp-8], esi
	cmp dword ptr [rbp-4], 2
	ja .L9
	mov eax, dword ptr [rbp-4]
	lea rdx, [rax*4+0]
	lea rax, .LT[rip]
	mov eax, dword ptr [rdx+rax]
	cdqe
	lea rdx, .LT[rip]
	add rax, rdx
	jmp rax
.L1:
	mov eax, 5
	jmp .L8
.L2:
	mov eax, 6
	jmp .L8
.L3:
	mov eax, dword ptr [rbp-8]
	add eax, 1
	jmp .L8
.L9:
	mov eax, 0
.L8:
	pop rbp
	ret
	.size f, .-f
	.section .rodata
	.align 4
.LT:
	.long .L1-.LT
	.long .L2-.LT
	.long .L3-.LT
	.section .note.GNU-stack,"",@progbits
