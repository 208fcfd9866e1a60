#include "floor_base.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

void floor_expect(sqlite3 *database, int code, int hoped) {
    if (code == hoped) return;
    fprintf(stderr, "floor: %s\n", sqlite3_errmsg(database));
    exit(1);
}

sqlite3 *floor_connect(const char *path) {
    sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    floor_expect(database, sqlite3_open_v2(path, &database, flags, NULL), SQLITE_OK);
    const char *pragmas =
        "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA recursive_triggers = ON";
    floor_expect(database, sqlite3_exec(database, pragmas, NULL, NULL, NULL), SQLITE_OK);
    return database;
}

sqlite3_stmt *floor_prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    floor_expect(
        database, sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK);
    return statement;
}

void floor_run(sqlite3_stmt *statement) {
    floor_expect(sqlite3_db_handle(statement), sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
}
