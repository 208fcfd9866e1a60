#ifndef FLOOR_BASE_H
#define FLOOR_BASE_H

/* What every floor in C begins with: a connection as the store has them, its outbox, and clocks. Each function ends the process with
   SQLite's message where a call fails. */

struct sqlite3;
struct sqlite3_stmt;

/* Opens a database as the store does: write-ahead log, synchronous as GRDB sets it, triggers that set off others. */
struct sqlite3 *floor_connect(const char *path);
struct sqlite3_stmt *floor_prepare(struct sqlite3 *database, const char *sql);
/* Steps a statement that gives no rows, and resets it. */
void floor_run(struct sqlite3_stmt *statement);
/* Ends the process unless `code` is what was hoped for. */
void floor_expect(struct sqlite3 *database, int code, int hoped);
/* Runs statements that give no rows. */
void floor_execute(struct sqlite3 *database, const char *sql);

/* Between the two the triggers of the outbox note nothing, as in a merge. Both belong into one transaction. */
void floor_begin_quiet(struct sqlite3 *database);
void floor_end_quiet(struct sqlite3 *database);
/* All triggers of a database, with their tables and their SQL, one after the other; the caller frees the text. */
char *floor_triggers(const char *path);
/* How many records wait in the outbox. */
long long floor_pending_count(const char *path);
/* Drops the triggers of the outbox: what a database of somebody else is like. */
void floor_drop_outbox(const char *path);

/* The bytes of this process that are in memory, the most that ever were, and the processor time it has used. */
long long floor_resident_bytes(void);
long long floor_peak_bytes(void);
long long floor_processor_nanoseconds(void);
long long floor_wall_nanoseconds(void);

#endif
