// A selection, or a branch.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, w1
	b.ge 1f
	mov w0, w0
	ret
1:
	mov w0, w1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
