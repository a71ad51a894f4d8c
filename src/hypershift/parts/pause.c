/* pause holds a pod's namespaces: as process 1 it reaps orphans until it is told to stop.
 * main.go is the same program for machines without a C compiler; this one costs a pod 50 KiB. */
#include <signal.h>
#include <sys/wait.h>

int main(void)
{
	sigset_t wanted;
	int received;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGCHLD);
	sigprocmask(SIG_BLOCK, &wanted, 0);
	while (sigwait(&wanted, &received) == 0 && received == SIGCHLD)
		while (waitpid(-1, 0, WNOHANG) > 0)
			;
	return 0;
}
