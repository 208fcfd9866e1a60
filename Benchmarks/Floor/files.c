#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "floor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void fail(const char *what, const char *path) {
    fprintf(stderr, "floor: %s: %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void read_fully(int file, char *buffer, long size, const char *path) {
    long done = 0;
    while (done < size) {
        ssize_t count = read(file, buffer + done, (size_t)(size - done));
        if (count <= 0) fail("cannot read", path);
        done += count;
    }
}

char *read_whole(const char *path, long *size) {
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail("cannot open", path);
    *size = (long)status.st_size;
    char *buffer = malloc((size_t)*size + 1);
    if (!buffer) fail("no memory for", path);
    read_fully(file, buffer, *size, path);
    buffer[*size] = 0;
    close(file);
    return buffer;
}

/* One line of a list: the size, a space, the path. Splits in place; moves `*cursor` to the next line. */
static int next_entry(char **cursor, long *size, char **path) {
    if (**cursor == 0) return 0;
    *size = strtol(*cursor, cursor, 10);
    *path = *cursor + 1;
    char *end = strchr(*path, '\n');
    if (end) *end++ = 0;
    *cursor = end ? end : *path + strlen(*path);
    return 1;
}

static void full_path(char *result, const char *folder, const char *path) {
    if (snprintf(result, 4096, "%s/%s", folder, path) >= 4096) fail("path too long", path);
}

/* Makes the folders that `path` lies in; `last` remembers the folder of the file before, mostly the same one. */
static void make_folders(char *path, char *last) {
    char *end = strrchr(path, '/');
    *end = 0;
    if (strcmp(path, last) != 0) {
        for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
            *slash = 0;
            if (mkdir(path, 0777) != 0 && errno != EEXIST) fail("cannot make", path);
            *slash = '/';
        }
        if (mkdir(path, 0777) != 0 && errno != EEXIST) fail("cannot make", path);
        strcpy(last, path);
    }
    *end = '/';
}

static void write_file(const char *path, const char *bytes, long size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) fail("cannot create", path);
    for (long done = 0; done < size;) {
        ssize_t count = write(file, bytes + done, (size_t)(size - done));
        if (count < 0) fail("cannot write", path);
        done += count;
    }
    if (close(file) != 0) fail("cannot close", path);
}

static char *filled(long size) {
    char *bytes = malloc((size_t)size + 1);
    if (!bytes) fail("no memory for", "a file");
    memset(bytes, 'x', (size_t)size);
    return bytes;
}

void write_files(const char *folder, const char *list) {
    long listSize, size, capacity = 1 << 20;
    char *cursor = read_whole(list, &listSize), *path, target[4096], last[4096] = "";
    char *bytes = filled(capacity);
    while (next_entry(&cursor, &size, &path)) {
        if (size > capacity) {
            free(bytes);
            bytes = filled(capacity = size);
        }
        full_path(target, folder, path);
        make_folders(target, last);
        write_file(target, bytes, size);
    }
    free(bytes);
}

void read_files(const char *folder, const char *list) {
    long listSize, size, capacity = 1 << 20;
    char *cursor = read_whole(list, &listSize), *path, target[4096];
    char *bytes = malloc((size_t)capacity);
    while (next_entry(&cursor, &size, &path)) {
        full_path(target, folder, path);
        int file = open(target, O_RDONLY);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0) fail("cannot open", target);
        if (status.st_size > capacity) {
            capacity = (long)status.st_size;
            bytes = realloc(bytes, (size_t)capacity);
        }
        if (!bytes) fail("no memory for", target);
        read_fully(file, bytes, (long)status.st_size, target);
        close(file);
    }
    free(bytes);
}
