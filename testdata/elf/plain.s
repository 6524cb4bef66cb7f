# The part of shapes that has symbols and no debug information (assembled without -g). See shapes.cc.

	.text
	.globl	_start
	.type	_start, @function
_start:
	call	main
	hlt
	.size	_start, . - _start

	.globl	malloc
	.type	malloc, @function
malloc:
	xorl	%eax, %eax
	ret
	.size	malloc, . - malloc

	.globl	plain_alloc
	.type	plain_alloc, @function
plain_alloc:
	call	malloc
	ret
	.size	plain_alloc, . - plain_alloc

# Code that no symbol covers: the nearest symbol before it, plain_alloc, has ended. It must stay unnamed.
	.skip	16, 0x90
	call	malloc
	ret

	.section .note.GNU-stack,"",@progbits
