#ifndef MIGRATE_FLOOR_H
#define MIGRATE_FLOOR_H

/* What migrating is compared with, in C. Each function ends the process with SQLite's message where a call fails. */

struct sqlite3;

/* Fills the tables of the first version: `count` entries of a thousand accounts, the same in every run. */
void migrate_floor_fill(const char *path, long long count);

/* Opens a file and runs statements in one transaction, as the store migrates: foreign keys are not enforced meanwhile. The
   function `floor_decimal(text)` is there. The caller closes the connection. */
struct sqlite3 *migrate_floor_run(const char *path, const char *statements);
/* Copies a file by SQLite's backup, as the store does before it changes values. */
void migrate_floor_copy(const char *path, const char *copy);
/* Opens a file and reads the metadata of the store. The caller closes the connection. */
struct sqlite3 *migrate_floor_open(const char *path);
void migrate_floor_close(struct sqlite3 *database);

/* The statements that create all triggers of a file, each followed by a semicolon; the caller frees the text. */
char *migrate_floor_triggers(const char *path);
/* The statements that drop them; the caller frees the text. */
char *migrate_floor_trigger_drops(const char *path);

struct migrate_floor_sum {
    long long rows;
    /* The sum of the hashes of all rows, so that their order and that of the columns do not matter. */
    unsigned long long hash;
};
/* What the rows of the table of entries contain. */
struct migrate_floor_sum migrate_floor_sum(const char *path);

#endif
