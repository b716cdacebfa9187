# What a format string asks for is passed in a register that held something anyway.
	.intel_syntax noprefix
	.section .rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string "%% %*d"
	.text
	.globl f
	.type f, @function
f:
	mov rsi, rdi
	lea rcx, [rsi+1]
	mov qword ptr [rsi], rcx
	lea rdi, .LC0[rip]
	xor eax, eax
	sub rsp, 8
	call printf
	mov eax, eax
	add rsp, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
