#ifndef STORE_FLOOR_INTERNAL_H
#define STORE_FLOOR_INTERNAL_H

#include "store_floor.h"

#include <floor_base.h>
#include <sqlite3.h>

struct floor_store {
    sqlite3 *database;
    sqlite3_stmt *begin, *commit, *fetch, *find, *insert, *update, *authors, *insert_author;
};

/* 36 characters, as the store keeps a UUID. */
void floor_uuid_text(const unsigned char uuid[16], char text[36]);
int floor_uuid_from_text(const unsigned char *text, int length, unsigned char uuid[16]);

#endif
