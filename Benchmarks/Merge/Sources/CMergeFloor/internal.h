#ifndef MERGE_FLOOR_INTERNAL_H
#define MERGE_FLOOR_INTERNAL_H

#include "merge_floor.h"

#include <floor_base.h>
#include <sqlite3.h>
#include <stdint.h>

/* A value as a column keeps it: 16 bytes. A text is in the payload, or unescaped in the reader's own memory. */
typedef enum { cell_null, cell_integer, cell_real, cell_text } cell_kind;
typedef struct {
    union {
        const char *text;
        int64_t integer;
        double real;
    };
    int length;
    cell_kind kind;
} cell;

enum { most_columns = 8, most_tables = 4 };

/* How the value of a key becomes a cell, or rows of another table. */
typedef enum { as_it_is, as_date, as_owned_records, as_linked_record, as_linked_numbers } meaning;

struct shape;
typedef struct {
    const char *key; /* with its quotes */
    int length;
    meaning meaning;
    int column;
    const struct shape *target;
} field;

/* The fields of a record in the order they usually come in, and the row that they make. The identity is column 0. */
typedef struct shape {
    const char *table;
    int number; /* of the table, among those of its payload */
    int column_count, field_count;
    int owner_column; /* where the identity of what a record is nested in goes; -1 for none */
    field fields[most_columns];
} shape;

/* The tables of a payload: its own record's first. */
extern const shape *const *shapes_of(merge_payload payload, int *count);

/* Called with each row as soon as it is complete; texts are valid until the reader is freed. */
typedef void row_sink(void *context, const shape *shape, const cell *cells);

typedef struct {
    const char *at, *end;
    char *unescaped; /* where the next unescaped text goes */
    row_sink *sink;
    void *context;
} reader;

/* Reads an array of records. `memory` has as many bytes as the payload; only what is escaped is written there. */
void read_records(reader *reader, const shape *shape);

struct merge_floor {
    sqlite3 *database;
    merge_payload payload;
    const shape *const *shapes;
    int shape_count;
    sqlite3_stmt *begin, *commit, *insert[most_tables], *scan[most_tables], *find, *update;
};

#endif
