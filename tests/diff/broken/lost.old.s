# A callee of the same file changes r11, which is taken to hold a value through the call.
	.intel_syntax noprefix
	.text
	.type g, @function
g:
	mov r11d, edi
	ret
	.size g, .-g
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, esi
	call g
	add eax, ebx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
