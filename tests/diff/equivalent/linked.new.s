# A body in the place of its call brings the frame pointer of its caller back.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea eax, [rdi+rsi+3]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
