# A load whose value nobody needs: it may fail where nothing failed.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
