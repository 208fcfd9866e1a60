#ifndef ROWS_FLOOR_H
#define ROWS_FLOOR_H

/* What copying rows is compared with, in C. Each function ends the process with SQLite's message where a call fails. */

struct sqlite3;

/* Writes a file with the tables of Core Data for Notebook.xcdatamodel: `count` notes of a thousand accounts, the same in
   every run. */
void rows_floor_fill(const char *path, long long count);

/* Opens a file of the store, with as much memory for pages as a copy uses. The caller closes the connection. */
struct sqlite3 *rows_floor_open(const char *path);
/* Copies the rows of a file of Core Data by one INSERT … SELECT for each table, in one transaction, in which the triggers of
   the outbox note nothing. */
void rows_floor_copy(struct sqlite3 *database, const char *source);
void rows_floor_close(struct sqlite3 *database);

struct rows_floor_sum {
    long long rows;
    /* The sum of the hashes of all rows, so that their order does not matter. */
    unsigned long long hash;
};
/* What the rows of both tables of a store contain. */
struct rows_floor_sum rows_floor_sum(const char *path);

#endif
