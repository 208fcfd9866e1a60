#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int hexadecimal(unsigned char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return -1;
}

int floor_uuid_from_text(const unsigned char *text, int length, unsigned char uuid[16]) {
    if (length != 36) return 0;
    int invalid = 0;
    for (int index = 0; index < 16; index++) {
        if (index == 4 || index == 6 || index == 8 || index == 10) invalid |= *text++ != '-';
        int high = hexadecimal(text[0]), low = hexadecimal(text[1]);
        invalid |= (high | low) < 0;
        uuid[index] = (unsigned char)(high << 4 | low);
        text += 2;
    }
    return !invalid;
}

static char *text_copy(sqlite3_stmt *row, int column, int *length) {
    const unsigned char *text = sqlite3_column_text(row, column);
    if (!text) return NULL;
    *length = sqlite3_column_bytes(row, column);
    char *copy = malloc((size_t)*length + 1);
    memcpy(copy, text, (size_t)*length + 1);
    return copy;
}

static int is(const unsigned char *text, int length, const char *word) {
    return (size_t)length == strlen(word) && memcmp(text, word, (size_t)length) == 0;
}

static int mood(const unsigned char *text, int length) {
    if (is(text, length, "sad")) return 0;
    if (is(text, length, "neutral")) return 1;
    return is(text, length, "happy") ? 2 : -1;
}

static int uuid(sqlite3_stmt *row, int column, unsigned char uuid[16]) {
    const unsigned char *text = sqlite3_column_text(row, column);
    return text && floor_uuid_from_text(text, sqlite3_column_bytes(row, column), uuid);
}

static void read_entry(sqlite3_stmt *row, floor_entry *entry) {
    uuid(row, 0, entry->identifier);
    entry->title = text_copy(row, 1, &entry->title_length);
    entry->body_text = text_copy(row, 2, &entry->body_text_length);
    const unsigned char *text = sqlite3_column_text(row, 3);
    entry->mood = mood(text, sqlite3_column_bytes(row, 3));
    entry->timestamp = sqlite3_column_double(row, 4);
    entry->word_count = sqlite3_column_int64(row, 5);
    entry->temperature = sqlite3_column_double(row, 6);
    entry->place_length = 0;
    entry->place = text_copy(row, 7, &entry->place_length);
    entry->has_author = uuid(row, 8, entry->author);
}

floor_entries floor_fetch(floor_store *store, long limit) {
    floor_entries found = {NULL, 0, 0};
    sqlite3_bind_int64(store->fetch, 1, limit);
    int code;
    while ((code = sqlite3_step(store->fetch)) == SQLITE_ROW) {
        if (found.count == found.capacity) {
            found.capacity = found.capacity ? found.capacity * 2 : 16;
            found.entries = realloc(found.entries, (size_t)found.capacity * sizeof(floor_entry));
        }
        read_entry(store->fetch, &found.entries[found.count++]);
    }
    floor_expect(store->database, code, SQLITE_DONE);
    sqlite3_reset(store->fetch);
    return found;
}

long floor_fetch_with_authors(floor_store *store, long limit) {
    floor_entries entries = floor_fetch(store, limit);
    long count = 0, capacity = 16, sum = 0;
    struct author {
        unsigned char identifier[16];
        char *name;
        int length;
    } *authors = malloc((size_t)capacity * sizeof *authors);
    sqlite3_bind_int64(store->authors, 1, limit);
    int code;
    while ((code = sqlite3_step(store->authors)) == SQLITE_ROW) {
        if (count == capacity) authors = realloc(authors, (size_t)(capacity *= 2) * sizeof *authors);
        uuid(store->authors, 0, authors[count].identifier);
        authors[count].name = text_copy(store->authors, 1, &authors[count].length);
        count++;
    }
    floor_expect(store->database, code, SQLITE_DONE);
    sqlite3_reset(store->authors);
    /* The second half of a UUID is random enough to be its hash. */
    long slots = 1;
    while (slots < count * 2) slots *= 2;
    struct author **table = calloc((size_t)slots, sizeof *table);
    for (long index = 0; index < count; index++) {
        unsigned long long hash;
        memcpy(&hash, authors[index].identifier + 8, 8);
        while (table[hash & (unsigned long)(slots - 1)]) hash++;
        table[hash & (unsigned long)(slots - 1)] = &authors[index];
    }
    for (long index = 0; index < entries.count; index++) {
        unsigned long long hash;
        memcpy(&hash, entries.entries[index].author + 8, 8);
        struct author *author;
        while ((author = table[hash++ & (unsigned long)(slots - 1)])) {
            if (memcmp(author->identifier, entries.entries[index].author, 16) != 0) continue;
            sum += author->length;
            break;
        }
    }
    for (long index = 0; index < count; index++) free(authors[index].name);
    free(authors);
    free(table);
    floor_free(entries);
    return sum;
}

int floor_find(floor_store *store, const unsigned char identifier[16], floor_entry *entry) {
    char text[36];
    floor_uuid_text(identifier, text);
    sqlite3_bind_text(store->find, 1, text, 36, SQLITE_STATIC);
    int code = sqlite3_step(store->find);
    int found = code == SQLITE_ROW;
    if (found) {
        read_entry(store->find, entry);
    } else {
        floor_expect(store->database, code, SQLITE_DONE);
    }
    sqlite3_reset(store->find);
    return found;
}

void floor_free_texts(floor_entry *entry) {
    free(entry->title);
    free(entry->body_text);
    free(entry->place);
}

void floor_free(floor_entries entries) {
    for (long index = 0; index < entries.count; index++) floor_free_texts(&entries.entries[index]);
    free(entries.entries);
}
