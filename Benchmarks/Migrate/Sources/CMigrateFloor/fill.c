#include "migrate_floor.h"

#include <floor_base.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

/* SplitMix64, as in Contests. */
static unsigned long long next(void) {
    unsigned long long mixed = state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

static void uuid(char text[37]) {
    unsigned long long high = next(), low = next();
    snprintf(
        text, 37, "%08llx-%04llx-4%03llx-8%03llx-%012llx", high >> 32, high >> 16 & 0xffff, high & 0xfff, low >> 48 & 0xfff,
        low & 0xffffffffffffULL);
}

enum { account_count = 1000 };

static void bind(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

void migrate_floor_fill(const char *path, long long count) {
    static char accounts[account_count][37];
    static const char words[] = "the quick brown fox jumps over the lazy dog and pays for what it has eaten with coins of copper ";
    sqlite3 *database = floor_connect(path);
    state = 7;
    /* Keys in random order: most of the index has to be in memory. */
    floor_execute(database, "PRAGMA cache_size = -400000; BEGIN IMMEDIATE");
    floor_begin_quiet(database);
    sqlite3_stmt *account = floor_prepare(database, "INSERT INTO account (identifier, name) VALUES (?, ?)");
    for (int index = 0; index < account_count; index++) {
        char name[40];
        uuid(accounts[index]);
        snprintf(name, sizeof name, "Account %d", index);
        bind(account, 1, accounts[index]);
        bind(account, 2, name);
        floor_run(account);
    }
    sqlite3_finalize(account);
    sqlite3_stmt *entry = floor_prepare(
        database,
        "INSERT INTO entry (identifier, title, note, amount, quantity, date, account_id) VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (long long index = 0; index < count; index++) {
        char identifier[37], title[60], note[80], amount[40];
        uuid(identifier);
        snprintf(title, sizeof title, "Entry %lld of the ledger", index);
        snprintf(note, sizeof note, "%.*s", (int)(20 + next() % 40), words + next() % 30);
        /* Some have zeros at the end. */
        unsigned long long cents = next() % 10000000;
        snprintf(amount, sizeof amount, "%llu.%02llu", cents / 100, cents % 100);
        bind(entry, 1, identifier);
        bind(entry, 2, title);
        bind(entry, 3, note);
        bind(entry, 4, amount);
        if (next() % 3 == 0) {
            sqlite3_bind_null(entry, 5);
        } else {
            sqlite3_bind_int64(entry, 5, (sqlite3_int64)(next() % 1000));
        }
        sqlite3_bind_double(entry, 6, 1.7e9 + (double)(next() % 100000000));
        bind(entry, 7, accounts[next() % account_count]);
        floor_run(entry);
    }
    sqlite3_finalize(entry);
    floor_end_quiet(database);
    floor_execute(database, "COMMIT");
    sqlite3_close(database);
}
