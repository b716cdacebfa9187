// Another bit is looked at.
	.text
	.globl f
	.type f, %function
f:
	tbz w0, 3, 1f
	mov w0, 1
	ret
1:
	mov w0, 2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
