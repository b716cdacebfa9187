// Two conditions in a row, or two branches.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, 3
	b.eq 1f
	cmp w1, 5
	b.eq 1f
	mov w0, 0
	ret
1:
	mov w0, 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
