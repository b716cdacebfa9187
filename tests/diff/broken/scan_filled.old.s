# What a search for a bit is to leave where there is none is put there before.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, 32
	bsf eax, edi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
