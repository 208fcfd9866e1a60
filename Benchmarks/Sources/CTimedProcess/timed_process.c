#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CTimedProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(struct timeval time) {
    return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

static int start(char *const arguments[], const char *log, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (!error) error = posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int timed_process_run(char *const arguments[], const char *log, struct timed_process_usage *usage) {
    pid_t process;
    int64_t begin = now();
    int error = start(arguments, log, &process);
    if (error) return error;
    int status;
    struct rusage resources;
    while (wait4(process, &status, 0, &resources) < 0) {
        if (errno != EINTR) return errno;
    }
    usage->wallNanoseconds = now() - begin;
    usage->processorNanoseconds = nanoseconds(resources.ru_utime) + nanoseconds(resources.ru_stime);
#ifdef __APPLE__
    usage->peakMemoryBytes = resources.ru_maxrss;
#else
    usage->peakMemoryBytes = (int64_t)resources.ru_maxrss * 1024;
#endif
    usage->exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return 0;
}
