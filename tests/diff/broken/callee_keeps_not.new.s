# A function of the file that changes a register which the convention lets it change.
	.intel_syntax noprefix
	.text
	.globl g
	.type g, @function
g:
	mov r11d, edi
	lea eax, [rdi+rdi*2]
	ret
	.size g, .-g
	.globl f
	.type f, @function
f:
	mov r11, rsi
	call g
	add rax, r11
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
