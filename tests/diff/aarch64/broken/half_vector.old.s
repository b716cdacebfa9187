// The half of a vector that a call does not keep is relied on.
	.text
	.globl f
	.type f, %function
f:
	stp x29, x30, [sp, -64]!
	mov x29, sp
	str x19, [sp, 16]
	str d8, [sp, 24]
	mov x19, x0
	ldr q0, [x0]
	str q0, [sp, 32]
	bl g
	ldr q1, [sp, 32]
	str q1, [x19]
	mov w0, 0
	ldr d8, [sp, 24]
	ldr x19, [sp, 16]
	ldp x29, x30, [sp], 64
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
