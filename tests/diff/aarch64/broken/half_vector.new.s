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
	mov v8.16b, v0.16b
	bl g
	str q8, [x19]
	mov w0, 0
	ldr d8, [sp, 24]
	ldr x19, [sp, 16]
	ldp x29, x30, [sp], 64
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
