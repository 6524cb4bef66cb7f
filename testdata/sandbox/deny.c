/* deny sockets|filters PROGRAM ARGUMENT...: runs a program that is killed by the kernel when it asks for a socket, or for which
 * the kernel seems to know no filters of system calls. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

static int deny(unsigned number, unsigned answer)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof steps / sizeof *steps, steps};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) | prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	int problem = -1;

	if (argc > 2 && strcmp(argv[1], "sockets") == 0)
		problem = deny(SYS_socket, SECCOMP_RET_KILL_PROCESS);
	else if (argc > 2 && strcmp(argv[1], "filters") == 0)
		problem = deny(SYS_seccomp, SECCOMP_RET_ERRNO | ENOSYS);
	if (problem) {
		fprintf(stderr, "deny: expected sockets or filters, a program, and a kernel that takes a filter\n");
		return 126;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
