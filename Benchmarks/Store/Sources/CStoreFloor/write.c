#include "internal.h"

#include <string.h>

void floor_uuid_text(const unsigned char uuid[16], char text[36]) {
    static const char digits[] = "0123456789abcdef";
    for (int index = 0; index < 16; index++) {
        if (index == 4 || index == 6 || index == 8 || index == 10) *text++ = '-';
        *text++ = digits[uuid[index] >> 4];
        *text++ = digits[uuid[index] & 15];
    }
}

void floor_insert_authors(floor_store *store, const unsigned char (*identifiers)[16], long count) {
    static const char name[] = "Ada, Countess of Lovelace";
    floor_run(store->begin);
    floor_begin_quiet(store->database);
    for (long index = 0; index < count; index++) {
        char text[36];
        floor_uuid_text(identifiers[index], text);
        sqlite3_bind_text(store->insert_author, 1, text, 36, SQLITE_STATIC);
        sqlite3_bind_text(store->insert_author, 2, name, sizeof name - 1, SQLITE_STATIC);
        floor_run(store->insert_author);
    }
    floor_end_quiet(store->database);
    floor_run(store->commit);
}

/* The texts are the caller's until the row is written, so SQLite need not copy them. */
static void bind(sqlite3_stmt *row, const floor_entry *entry, char identifier[36], char author[36]) {
    static const char *const moods[] = {"sad", "neutral", "happy"};
    floor_uuid_text(entry->identifier, identifier);
    sqlite3_bind_text(row, 1, identifier, 36, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, entry->title, entry->title_length, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, entry->body_text, entry->body_text_length, SQLITE_STATIC);
    const char *mood = moods[entry->mood];
    sqlite3_bind_text(row, 4, mood, (int)strlen(mood), SQLITE_STATIC);
    sqlite3_bind_double(row, 5, entry->timestamp);
    sqlite3_bind_int64(row, 6, entry->word_count);
    sqlite3_bind_double(row, 7, entry->temperature);
    if (entry->place) {
        sqlite3_bind_text(row, 8, entry->place, entry->place_length, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(row, 8);
    }
    if (entry->has_author) {
        floor_uuid_text(entry->author, author);
        sqlite3_bind_text(row, 9, author, 36, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(row, 9);
    }
}

void floor_insert(floor_store *store, const floor_entry *entries, long count) {
    char identifier[36], author[36];
    // As much memory for pages as a save of ours takes.
    floor_execute(store->database, "PRAGMA cache_size = -16384");
    floor_run(store->begin);
    for (long index = 0; index < count; index++) {
        bind(store->insert, &entries[index], identifier, author);
        floor_run(store->insert);
    }
    floor_run(store->commit);
}

void floor_update_title(floor_store *store, const unsigned char identifier[16], const char *title) {
    char text[36];
    floor_uuid_text(identifier, text);
    floor_run(store->begin);
    sqlite3_bind_text(store->update, 1, title, -1, SQLITE_STATIC);
    sqlite3_bind_text(store->update, 2, text, 36, SQLITE_STATIC);
    floor_run(store->update);
    floor_run(store->commit);
}
