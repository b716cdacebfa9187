# Atomic instructions: a counter, a lock, a fence; what is stored beside them is computed otherwise.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	add rsi, rsi
	mov qword ptr [rdx], rsi
	mov r8d, 1
	lock xadd dword ptr [rdi], r8d
	mov r9d, 1
	xor eax, eax
	lock cmpxchg dword ptr [rdi+8], r9d
	je .L2
.L1:
	xor ecx, ecx
	lock sub dword ptr [rdi], 1
	sete cl
	mov eax, ecx
	jmp .L3
.L2:
	mov eax, 5
	xchg qword ptr [rdi+16], rax
	lock or qword ptr [rsp], 0
	mov dword ptr [rdx+8], r8d
	jmp .L1
.L3:
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
