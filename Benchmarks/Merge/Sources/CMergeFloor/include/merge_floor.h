#ifndef MERGE_FLOOR_H
#define MERGE_FLOOR_H

/* The least that merging costs: one pass over the bytes that makes column values and checks nothing it need not, and
   prepared statements of SQLite's C interface. Each function ends the process with SQLite's message where a call fails,
   and gives the number of rows that it wrote, read or found. */

typedef struct merge_floor merge_floor;

typedef enum { merge_articles, merge_numbered_articles, merge_posts, merge_projects } merge_payload;

/* Opens a database as the store does, for payloads of one kind. */
merge_floor *merge_floor_open(const char *path, merge_payload payload);
void merge_floor_close(merge_floor *floor);

/* Reads the bytes alone; the values are looked at, and forgotten. */
long merge_floor_read(merge_floor *floor, const char *json, long length);

/* Reads the bytes, and inserts each record as it comes, with what is nested in it, all in one transaction. */
long merge_floor_insert(merge_floor *floor, const char *json, long length);

/* Reads the bytes and keeps the values, scans the tables and compares each row with the one that has its key: what must
   be done to find that nothing has changed. Gives the number of rows that are equal. */
long merge_floor_compare(merge_floor *floor, const char *json, long length);

/* Reads the bytes, and every column of every row of the tables, and updates the title of each record whose place is a
   multiple of `every`. Gives the number of updates. */
long merge_floor_update(merge_floor *floor, const char *json, long length, long every);

/* Reads the bytes, and for each record the row with its key. */
long merge_floor_find(merge_floor *floor, const char *json, long length);

#endif
