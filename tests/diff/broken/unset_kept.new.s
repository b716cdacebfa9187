	# The second part is what the caller keeps in a register.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	mov	QWORD PTR [rdi], rsi
	mov	QWORD PTR [rdi+8], rbx
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
