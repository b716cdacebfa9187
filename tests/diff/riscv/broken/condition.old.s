# A comparison with a sign, and without.
	.text
	.globl f
	.type f, @function
f:
	blt a0, a1, 1f
	li a0, 0
	ret
1:
	li a0, 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
