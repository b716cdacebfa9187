	# A callee is given the address of an object that holds zero; the new code has given up its frame by then.
	.intel_syntax noprefix
	.text
	.globl	f
	.type	f, @function
f:
	sub	rsp, 24
	mov	QWORD PTR [rsp+8], 0
	mov	QWORD PTR [rsp+16], 0
	lea	rdi, [rsp+8]
	call	g
	add	rsp, 24
	ret
	.size	f, .-f
	.section	.note.GNU-stack,"",@progbits
