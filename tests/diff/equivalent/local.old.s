# A local variable in memory on one side alone: its address is used, and goes nowhere.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov dword ptr [rsp+12], 0
	lea rax, [rsp+12]
	test edi, edi
	jle .L1
	mov dword ptr [rax], edi
.L1:
	mov edi, dword ptr [rsp+12]
	call g
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
