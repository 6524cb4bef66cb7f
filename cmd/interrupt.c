#include "cmd/interrupt.h"

#include "render/out.h"

#include <signal.h>
#include <stddef.h>

static void end(int number)
{
	out_unlink_unfinished();
	raise(number); /* its handler is the default again */
}

void interrupt_leave_nothing(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = end, .sa_flags = SA_RESETHAND}, old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}
