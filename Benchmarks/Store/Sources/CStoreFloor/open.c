#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char columns[] =
    "SELECT identifier, title, body_text, mood, timestamp, word_count, temperature, place, author_id FROM entry";

floor_store *floor_open(const char *path) {
    floor_store *store = calloc(1, sizeof *store);
    sqlite3 *database = store->database = floor_connect(path);
    char sql[400];
    store->begin = floor_prepare(database, "BEGIN IMMEDIATE");
    store->commit = floor_prepare(database, "COMMIT");
    snprintf(sql, sizeof sql, "%s LIMIT ?", columns);
    store->fetch = floor_prepare(database, sql);
    snprintf(sql, sizeof sql, "%s WHERE identifier = ?", columns);
    store->find = floor_prepare(database, sql);
    store->insert = floor_prepare(database, "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    store->insert_author = floor_prepare(database, "INSERT INTO author VALUES (?, ?)");
    store->update = floor_prepare(database, "UPDATE entry SET title = ? WHERE identifier = ?");
    store->authors = floor_prepare(
        database,
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
