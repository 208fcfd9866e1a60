#ifndef C_TIMED_PROCESS_H
#define C_TIMED_PROCESS_H

#include <stdint.h>

/* What a process and the children it waited for used. */
struct timed_process_usage {
    int64_t wallNanoseconds;
    int64_t processorNanoseconds; /* user and system together */
    int64_t peakMemoryBytes;      /* resident set; at least that of the process that started it */
    int exitStatus;               /* its exit code, or 128 and the number of the signal that ended it */
};

/*
 Runs `arguments` (ended by a null pointer), found by PATH, with no input and both outputs in the file `log`, in the
 folder it was called in. Returns 0, or the number of the error that kept it from running.
 */
int timed_process_run(char *const arguments[], const char *log, struct timed_process_usage *usage);

#endif
