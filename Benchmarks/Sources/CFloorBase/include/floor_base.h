#ifndef FLOOR_BASE_H
#define FLOOR_BASE_H

/* What every floor in C begins with: a connection as the store has them, and clocks. Each function ends the process with
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

/* The bytes of this process that are in memory, the most that ever were, and the processor time it has used. */
long long floor_resident_bytes(void);
long long floor_peak_bytes(void);
long long floor_processor_nanoseconds(void);
long long floor_wall_nanoseconds(void);

#endif
