# A body in the place of its call brings another frame pointer back than its caller has.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea eax, [rdi+rsi+3]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
