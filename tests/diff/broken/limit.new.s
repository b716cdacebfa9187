# A loop that ends where its counter is the limit, or where it is not below: the limit may be none.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	xor edx, edx
.L1:
	add eax, edi
	add edx, 1
	cmp dl, sil
	jb .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
