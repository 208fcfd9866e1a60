#include "floor.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

static int by_name(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

void list_files(const char *folder, const char *list) {
    FILE *output = fopen(list, "w");
    if (!output) fail("cannot create", list);
    char *const roots[] = {(char *)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!walk) fail("cannot list", folder);
    for (FTSENT *entry = fts_read(walk); entry; entry = fts_read(walk)) {
        if (entry->fts_info != FTS_F) continue;
        fprintf(output, "%lld %s\n", (long long)entry->fts_statp->st_size, entry->fts_path + strlen(folder) + 1);
    }
    fts_close(walk);
    if (fclose(output) != 0) fail("cannot write", list);
}
