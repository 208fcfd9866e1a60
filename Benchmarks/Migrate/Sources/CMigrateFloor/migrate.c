#include "migrate_floor.h"

#include <floor_base.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a number without zeros at the end of its fraction; NULL if it is none. Such a text never has any at the
   beginning here. */
static void decimal(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text) return;
    int length = sqlite3_value_bytes(values[0]), point = -1, digits = 0;
    for (int place = text[0] == '-'; place < length; place++) {
        if (text[place] >= '0' && text[place] <= '9') {
            digits++;
        } else if (text[place] == '.' && point < 0 && digits > 0) {
            point = place;
        } else {
            return;
        }
    }
    if (digits == 0 || point == length - 1) return;
    if (point >= 0) {
        while (text[length - 1] == '0') length--;
        if (length - 1 == point) length--;
    }
    sqlite3_result_text(context, text, length, SQLITE_TRANSIENT);
}

struct sqlite3 *migrate_floor_run(const char *path, const char *statements) {
    sqlite3 *database = floor_connect(path);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    floor_expect(
        database, sqlite3_create_function(database, "floor_decimal", 1, flags, NULL, decimal, NULL, NULL), SQLITE_OK);
    floor_execute(database, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    floor_execute(database, statements);
    floor_execute(database, "COMMIT");
    return database;
}

void migrate_floor_copy(const char *path, const char *copy) {
    sqlite3 *source = floor_connect(path), *target = NULL;
    floor_expect(
        target, sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
    sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
    floor_expect(target, sqlite3_backup_step(backup, -1), SQLITE_DONE);
    sqlite3_backup_finish(backup);
    sqlite3_close(target);
    sqlite3_close(source);
}

struct sqlite3 *migrate_floor_open(const char *path) {
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *rows = floor_prepare(database, "SELECT key, value FROM lockstep_metadata");
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        sqlite3_column_text(rows, 0);
        sqlite3_column_text(rows, 1);
    }
    floor_expect(database, code, SQLITE_DONE);
    sqlite3_finalize(rows);
    return database;
}

void migrate_floor_close(struct sqlite3 *database) { sqlite3_close(database); }

static char *text_of(const char *path, const char *sql) {
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *row = floor_prepare(database, sql);
    floor_expect(database, sqlite3_step(row), SQLITE_ROW);
    char *text = strdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(database);
    return text;
}

char *migrate_floor_triggers(const char *path) {
    return text_of(
        path, "SELECT coalesce(group_concat(sql || ';', char(10)), '') FROM sqlite_master WHERE type = 'trigger'");
}

char *migrate_floor_trigger_drops(const char *path) {
    return text_of(
        path,
        "SELECT coalesce(group_concat('DROP TRIGGER \"' || name || '\";', char(10)), '') FROM sqlite_master "
        "WHERE type = 'trigger'");
}

/* FNV-1a. */
static unsigned long long hash(unsigned long long hash, const void *bytes, int count) {
    const unsigned char *byte = bytes;
    for (int place = 0; place < count; place++) hash = (hash ^ byte[place]) * 0x100000001b3ULL;
    return hash;
}

struct migrate_floor_sum migrate_floor_sum(const char *path) {
    char *sql = text_of(
        path,
        "SELECT 'SELECT ' || group_concat('\"' || name || '\"') || ' FROM entry' FROM "
        "(SELECT name FROM pragma_table_info('entry') ORDER BY name)");
    sqlite3 *database = floor_connect(path);
    sqlite3_stmt *rows = floor_prepare(database, sql);
    struct migrate_floor_sum sum = {0, 0};
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        unsigned long long row = 0xcbf29ce484222325ULL;
        for (int column = 0; column < sqlite3_column_count(rows); column++) {
            char type = (char)sqlite3_column_type(rows, column);
            row = hash(row, &type, 1);
            if (type == SQLITE_INTEGER) {
                sqlite3_int64 number = sqlite3_column_int64(rows, column);
                row = hash(row, &number, sizeof number);
            } else if (type == SQLITE_FLOAT) {
                double number = sqlite3_column_double(rows, column);
                row = hash(row, &number, sizeof number);
            } else if (type != SQLITE_NULL) {
                const void *bytes = sqlite3_column_blob(rows, column);
                row = hash(row, bytes, sqlite3_column_bytes(rows, column));
            }
        }
        sum.rows++;
        sum.hash += row;
    }
    floor_expect(database, code, SQLITE_DONE);
    sqlite3_finalize(rows);
    sqlite3_close(database);
    free(sql);
    return sum;
}
