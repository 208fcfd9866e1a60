#ifndef STORE_FLOOR_H
#define STORE_FLOOR_H

/* The least that reading and writing a notebook costs: prepared statements of SQLite's C interface, and structs that own
   their texts. Each function ends the process with SQLite's message where a call fails. */

typedef struct floor_store floor_store;

/* An entry; its texts are allocated one by one and end with a zero. */
typedef struct {
    unsigned char identifier[16];
    char *title;
    int title_length;
    char *body_text;
    int body_text_length;
    /* 0 sad, 1 neutral, 2 happy, -1 anything else */
    int mood;
    double timestamp;
    long long word_count;
    double temperature;
    /* NULL where there is none */
    char *place;
    int place_length;
    int has_author;
    unsigned char author[16];
} floor_entry;

/* Structs one behind the other; grows to twice its size. */
typedef struct {
    floor_entry *entries;
    long count;
    long capacity;
} floor_entries;

/* Opens a database as the store does: write-ahead log, synchronous as GRDB sets it, triggers that set off others. */
floor_store *floor_open(const char *path);
void floor_close(floor_store *store);

/* Reads every entry, the most there are `limit`; the caller frees them. */
floor_entries floor_fetch(floor_store *store, long limit);
void floor_free(floor_entries entries);

/* Reads as many entries, and in a second statement their authors' names. Gives the sum of the names' lengths. */
long floor_fetch_with_authors(floor_store *store, long limit);

/* Writes authors in one transaction that the outbox does not note, as if a server had sent them. */
void floor_insert_authors(floor_store *store, const unsigned char (*identifiers)[16], long count);
/* Writes entries in one transaction, which the outbox notes. */
void floor_insert(floor_store *store, const floor_entry *entries, long count);

/* Changes one title, in a transaction of its own. */
void floor_update_title(floor_store *store, const unsigned char identifier[16], const char *title);

/* Reads one entry into `*entry`, whose texts the caller frees; 0 where there is none. */
int floor_find(floor_store *store, const unsigned char identifier[16], floor_entry *entry);
void floor_free_texts(floor_entry *entry);

#endif
