# A function with a size, one without, and code that no symbol covers.
	.text
	.globl	in_assembly
	.type	in_assembly, %function
in_assembly:
#if defined __x86_64__
	leaq	1(%rdi,%rdi), %rax
	call	without_size
	ret
#else
	nop
#endif
	.size	in_assembly, . - in_assembly
	.skip	24, 0x90

	.type	without_size, %function
without_size:
#if defined __x86_64__
	xorq	$5, %rax
	nop
	nop
	ret
#else
	nop
#endif
	.section .note.GNU-stack, "", %progbits
