	# Both parts of the structure are set.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	mov	QWORD PTR [rdi], rsi
	mov	QWORD PTR [rdi+8], rsi
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
