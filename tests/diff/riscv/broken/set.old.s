# A comparison without a sign.
	.text
	.globl f
	.type f, @function
f:
	slt a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
