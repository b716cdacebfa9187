# The upper half of a product with one sign.
	.text
	.globl f
	.type f, @function
f:
	mulhsu a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
