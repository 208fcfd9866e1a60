#include "rows_floor.h"

#include <floor_base.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* The text of a UUID of 16 bytes. */
static void uuid(sqlite3_context *context, int count, sqlite3_value **values) {
    static const char digits[] = "0123456789abcdef";
    (void)count;
    if (sqlite3_value_bytes(values[0]) != 16) return;
    const unsigned char *bytes = sqlite3_value_blob(values[0]);
    char text[36], *end = text;
    for (int index = 0; index < 16; index++) {
        if (index == 4 || index == 6 || index == 8 || index == 10) *end++ = '-';
        *end++ = digits[bytes[index] >> 4];
        *end++ = digits[bytes[index] & 15];
    }
    sqlite3_result_text(context, text, sizeof text, SQLITE_TRANSIENT);
}

/* Dates count from 1970 in the store, and from 2001 in Core Data. */
static const char copies[] =
    "INSERT INTO account (id, name) SELECT floor_uuid(ZID), ZNAME FROM source.ZACCOUNT;"
    "INSERT INTO note (id, title, body_text, created_at, rank, weight, is_done, account_id)"
    " SELECT floor_uuid(note.ZID), ZTITLE, ZBODYTEXT, ZCREATEDAT + 978307200.0, ZRANK, ZWEIGHT, ZISDONE,"
    " floor_uuid(account.ZID)"
    " FROM source.ZNOTE AS note LEFT JOIN source.ZACCOUNT AS account ON account.Z_PK = note.ZACCOUNT;";

struct sqlite3 *rows_floor_open(const char *path) {
    sqlite3 *database = floor_connect(path);
    floor_execute(database, "PRAGMA cache_size = -16384");
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    floor_expect(
        database, sqlite3_create_function(database, "floor_uuid", 1, flags, NULL, uuid, NULL, NULL), SQLITE_OK);
    return database;
}

void rows_floor_copy(sqlite3 *database, const char *source) {
    sqlite3_stmt *attach = floor_prepare(database, "ATTACH ? AS source");
    sqlite3_bind_text(attach, 1, source, -1, SQLITE_STATIC);
    floor_run(attach);
    sqlite3_finalize(attach);
    floor_execute(database, "BEGIN IMMEDIATE");
    floor_begin_quiet(database);
    floor_execute(database, copies);
    floor_end_quiet(database);
    floor_execute(database, "COMMIT");
}

void rows_floor_close(struct sqlite3 *database) { sqlite3_close(database); }

/* FNV-1a. */
static unsigned long long hash(unsigned long long hash, const void *bytes, int count) {
    const unsigned char *byte = bytes;
    for (int place = 0; place < count; place++) hash = (hash ^ byte[place]) * 0x100000001b3ULL;
    return hash;
}

static unsigned long long row_hash(sqlite3_stmt *row) {
    unsigned long long sum = 0xcbf29ce484222325ULL;
    for (int column = 0; column < sqlite3_column_count(row); column++) {
        char type = (char)sqlite3_column_type(row, column);
        sum = hash(sum, &type, 1);
        if (type == SQLITE_INTEGER) {
            sqlite3_int64 number = sqlite3_column_int64(row, column);
            sum = hash(sum, &number, sizeof number);
        } else if (type == SQLITE_FLOAT) {
            double number = sqlite3_column_double(row, column);
            sum = hash(sum, &number, sizeof number);
        } else if (type != SQLITE_NULL) {
            const void *bytes = sqlite3_column_blob(row, column);
            sum = hash(sum, bytes, sqlite3_column_bytes(row, column));
        }
    }
    return sum;
}

struct rows_floor_sum rows_floor_sum(const char *path) {
    static const char *const tables[] = {
        "SELECT id, name FROM account",
        "SELECT id, title, body_text, created_at, rank, weight, is_done, account_id FROM note",
    };
    sqlite3 *database = floor_connect(path);
    struct rows_floor_sum sum = {0, 0};
    for (int index = 0; index < 2; index++) {
        sqlite3_stmt *rows = floor_prepare(database, tables[index]);
        int code;
        while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
            sum.rows++;
            sum.hash += row_hash(rows);
        }
        floor_expect(database, code, SQLITE_DONE);
        sqlite3_finalize(rows);
    }
    sqlite3_close(database);
    return sum;
}
