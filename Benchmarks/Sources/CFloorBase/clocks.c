#include "floor_base.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach/mach.h>
#endif

long long floor_resident_bytes(void) {
#ifdef __APPLE__
    mach_task_basic_info_data_t info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
    return (long long)info.resident_size;
#else
    long long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lld %lld", &total, &resident) != 2) resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
#endif
}

#ifdef __APPLE__
long long floor_peak_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}
#else
/* Not getrusage: that is never less than the peak of the process that started this one. */
long long floor_peak_bytes(void) {
    char line[200];
    long long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %lld", &kilobytes) == 1) break;
    }
    fclose(file);
    return kilobytes * 1024;
}
#endif

static long long nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

long long floor_processor_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
long long floor_wall_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
