# A class of numbers that is another one.
	.text
	.globl f
	.type f, @function
f:
	fclass.d a0, fa0
	andi a0, a0, 0x28
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
