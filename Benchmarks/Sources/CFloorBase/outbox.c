#include "floor_base.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void floor_execute(sqlite3 *database, const char *sql) {
    floor_expect(database, sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
}

void floor_begin_quiet(sqlite3 *database) { floor_execute(database, "INSERT INTO lockstep_quiet DEFAULT VALUES"); }
void floor_end_quiet(sqlite3 *database) { floor_execute(database, "DELETE FROM lockstep_quiet"); }

/* The first column of the first row of what `sql` selects; the caller finalizes the statement. */
static sqlite3_stmt *first_row(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = floor_prepare(database, sql);
    floor_expect(database, sqlite3_step(statement), SQLITE_ROW);
    return statement;
}

char *floor_triggers(const char *path) {
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *row = first_row(
        database,
        "SELECT coalesce(group_concat(name || ' ON ' || tbl_name || ': ' || sql, char(10)), '') FROM "
        "(SELECT * FROM sqlite_master WHERE type = 'trigger' ORDER BY name)");
    char *triggers = strdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(database);
    return triggers;
}

long long floor_pending_count(const char *path) {
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *row = first_row(database, "SELECT count(*) FROM lockstep_outbox");
    long long count = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(database);
    return count;
}

void floor_drop_outbox(const char *path) {
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *row = first_row(
        database,
        "SELECT coalesce(group_concat('DROP TRIGGER \"' || name || '\"', '; '), '') FROM sqlite_master "
        "WHERE type = 'trigger' AND substr(name, 1, 16) = 'lockstep_outbox_'");
    char *sql = strdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    floor_execute(database, sql);
    free(sql);
    sqlite3_close(database);
}
