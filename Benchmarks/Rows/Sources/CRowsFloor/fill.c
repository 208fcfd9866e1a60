#include "rows_floor.h"

#include <floor_base.h>
#include <sqlite3.h>
#include <stdio.h>

static unsigned long long state;

/* SplitMix64, as in Contests. */
static unsigned long long next(void) {
    unsigned long long mixed = state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

enum { account_count = 1000 };

static const char tables[] =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);"
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);"
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);"
    "CREATE TABLE ZACCOUNT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZID BLOB);"
    "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER, ZRANK INTEGER,"
    " ZACCOUNT INTEGER, ZCREATEDAT TIMESTAMP, ZWEIGHT FLOAT, ZBODYTEXT VARCHAR, ZTITLE VARCHAR, ZID BLOB);"
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Account', 0, 0), (2, 'Note', 0, 0);"
    "INSERT INTO Z_METADATA VALUES (1, '5C0A3D2E-9A51-4F0B-8E3C-0D8F4E5A7B61', NULL);";

/* Core Data makes these after the rows of a migration, and SQLite is faster if all of them do. */
static const char indexes[] =
    "CREATE INDEX ZNOTE_ZACCOUNT_INDEX ON ZNOTE (ZACCOUNT);"
    "CREATE UNIQUE INDEX Z_Account_UNIQUE_id ON ZACCOUNT (ZID COLLATE BINARY ASC);"
    "CREATE UNIQUE INDEX Z_Note_UNIQUE_id ON ZNOTE (ZID COLLATE BINARY ASC);"
    "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZACCOUNT) WHERE Z_ENT = 1;"
    "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZNOTE) WHERE Z_ENT = 2;";

/* Binds 16 bytes, which stay until the next call. */
static void bind_uuid(sqlite3_stmt *statement, int place) {
    static unsigned char bytes[16];
    for (int half = 0; half < 2; half++) {
        unsigned long long number = next();
        for (int index = 0; index < 8; index++) bytes[8 * half + index] = (unsigned char)(number >> 8 * index);
    }
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    sqlite3_bind_blob(statement, place, bytes, sizeof bytes, SQLITE_STATIC);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

static void fill_accounts(sqlite3 *database) {
    sqlite3_stmt *account =
        floor_prepare(database, "INSERT INTO ZACCOUNT (Z_ENT, Z_OPT, ZNAME, ZID) VALUES (1, 1, ?, ?)");
    for (int index = 0; index < account_count; index++) {
        char name[40];
        snprintf(name, sizeof name, "Account %d", index);
        bind_text(account, 1, name);
        bind_uuid(account, 2);
        floor_run(account);
    }
    sqlite3_finalize(account);
}

static void fill_notes(sqlite3 *database, long long count) {
    static const char words[] =
        "the quick brown fox jumps over the lazy dog and pays for what it has eaten with coins of copper ";
    sqlite3_stmt *note = floor_prepare(
        database,
        "INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZISDONE, ZRANK, ZACCOUNT, ZCREATEDAT, ZWEIGHT, ZBODYTEXT, ZTITLE, ZID) "
        "VALUES (2, 1, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (long long index = 0; index < count; index++) {
        char title[60], body[160];
        snprintf(title, sizeof title, "Note %lld of the notebook", index);
        snprintf(body, sizeof body, "%.*s%s", (int)(20 + next() % 40), words + next() % 30, words);
        sqlite3_bind_int64(note, 1, (sqlite3_int64)(next() % 2));
        sqlite3_bind_int64(note, 2, (sqlite3_int64)(next() % 1000));
        sqlite3_bind_int64(note, 3, (sqlite3_int64)(next() % account_count + 1));
        /* Seconds since 2001, in quarters, which both epochs represent. */
        sqlite3_bind_double(note, 4, 7.0e8 + (double)(next() % 400000000) / 4);
        sqlite3_bind_double(note, 5, (double)(next() % 100000) / 8);
        /* Some have no text. */
        if (next() % 5 == 0) {
            sqlite3_bind_null(note, 6);
        } else {
            bind_text(note, 6, body);
        }
        bind_text(note, 7, title);
        bind_uuid(note, 8);
        floor_run(note);
    }
    sqlite3_finalize(note);
}

void rows_floor_fill(const char *path, long long count) {
    sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    floor_expect(database, sqlite3_open_v2(path, &database, flags, NULL), SQLITE_OK);
    state = 7;
    floor_execute(database, "BEGIN IMMEDIATE");
    floor_execute(database, tables);
    fill_accounts(database);
    fill_notes(database, count);
    floor_execute(database, indexes);
    floor_execute(database, "COMMIT");
    sqlite3_close(database);
}
