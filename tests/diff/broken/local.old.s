# A local variable in memory on one side alone, whose address a callee is passed.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov dword ptr [rsp+12], 0
	lea rdi, [rsp+12]
	call g
	mov eax, dword ptr [rsp+12]
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
