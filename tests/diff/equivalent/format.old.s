# What a register is left with is none of a call whose format string asks for nothing.
	.intel_syntax noprefix
	.section .rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string "100%% of it"
	.text
	.globl f
	.type f, @function
f:
	lea rsi, [rdi+1]
	mov qword ptr [rdi], rsi
	lea rdi, .LC0[rip]
	xor eax, eax
	sub rsp, 8
	call printf
	mov eax, eax
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
