# An entry of a table of jumps is found by its distance as a whole, and extended later; the other table has two in another order.
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
	add rax, rdx
	jmp rax
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
	.section .rodata
	.align 4
.LT:
	.long .L1-.LT
	.long .L3-.LT
	.long .L2-.LT
	.section .note.GNU-stack,"",@progbits
