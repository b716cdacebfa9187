# A local variable in memory on one side alone: its address is used, and goes nowhere.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 8
	xor eax, eax
	test edi, edi
	cmovs edi, eax
	call g
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
