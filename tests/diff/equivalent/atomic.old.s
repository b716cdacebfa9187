# Atomic instructions: a counter, a lock, a fence; what is stored beside them is computed otherwise.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rax, [rsi+rsi]
	mov qword ptr [rdx], rax
	mov eax, 1
	lock xadd dword ptr [rdi], eax
	mov r8d, eax
	xor eax, eax
	mov ecx, 1
	lock cmpxchg dword ptr [rdi+8], ecx
	jne .L1
	mov ecx, 5
	xchg qword ptr [rdi+16], rcx
	lock or qword ptr [rsp], 0
	mov dword ptr [rdx+8], r8d
.L1:
	lock sub dword ptr [rdi], 1
	sete al
	movzx eax, al
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
