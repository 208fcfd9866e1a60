#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char columns[] =
    "SELECT identifier, title, body_text, mood, timestamp, word_count, temperature, place, author_id FROM entry";

void floor_expect(floor_store *store, int code, int hoped) {
    if (code == hoped) return;
    fprintf(stderr, "floor: %s\n", sqlite3_errmsg(store->database));
    exit(1);
}

static sqlite3_stmt *prepare(floor_store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    floor_expect(
        store, sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK);
    return statement;
}

floor_store *floor_open(const char *path) {
    floor_store *store = calloc(1, sizeof *store);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    floor_expect(store, sqlite3_open_v2(path, &store->database, flags, NULL), SQLITE_OK);
    const char *pragmas =
        "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA recursive_triggers = ON";
    floor_expect(store, sqlite3_exec(store->database, pragmas, NULL, NULL, NULL), SQLITE_OK);
    char sql[400];
    store->begin = prepare(store, "BEGIN IMMEDIATE");
    store->commit = prepare(store, "COMMIT");
    snprintf(sql, sizeof sql, "%s LIMIT ?", columns);
    store->fetch = prepare(store, sql);
    snprintf(sql, sizeof sql, "%s WHERE identifier = ?", columns);
    store->find = prepare(store, sql);
    store->insert = prepare(store, "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    store->insert_author = prepare(store, "INSERT INTO author VALUES (?, ?)");
    store->update = prepare(store, "UPDATE entry SET title = ? WHERE identifier = ?");
    store->authors = prepare(
        store,
        "SELECT identifier, name FROM author WHERE identifier IN (SELECT author_id FROM (SELECT author_id FROM entry "
        "LIMIT ?))");
    return store;
}

void floor_close(floor_store *store) {
    sqlite3_stmt *const statements[] = {store->begin,  store->commit, store->fetch,   store->find,
                                        store->insert, store->update, store->authors, store->insert_author};
    for (int index = 0; index < 8; index++) sqlite3_finalize(statements[index]);
    sqlite3_close(store->database);
    free(store);
}
