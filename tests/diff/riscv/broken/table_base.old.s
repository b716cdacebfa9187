# Entries of a jump table that lead behind where they should.
	.text
	.globl f
	.type f, @function
f:
	li a5, 2
	bltu a5, a0, .C4
	lla a4, t
	slli a0, a0, 2
	add a0, a0, a4
	lw a5, 0(a0)
	add a5, a5, a4
	jr a5
.C1:
	li a0, 20
	ret
.C2:
	li a0, 7
	ret
.C3:
	li a0, 36
	ret
.C4:
	li a0, 0
	ret
	.size f, .-f
	.section .rodata
	.align 2
t:
	.word .C1-t
	.word .C2-t
	.word .C3-t
	.text
	.section .note.GNU-stack,"",@progbits
