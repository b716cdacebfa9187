// A branch by another condition.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, w1
	b.lt 1f
	mov w0, 1
	ret
1:
	mov w0, 2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
