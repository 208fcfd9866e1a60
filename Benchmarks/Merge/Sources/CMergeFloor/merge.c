#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

merge_floor *merge_floor_open(const char *path, merge_payload payload) {
    merge_floor *floor = calloc(1, sizeof *floor);
    sqlite3 *database = floor->database = floor_connect(path);
    // As much memory for pages as a merge of ours takes.
    floor_expect(database, sqlite3_exec(database, "PRAGMA cache_size = -16384", NULL, NULL, NULL), SQLITE_OK);
    floor->payload = payload;
    floor->shapes = shapes_of(payload, &floor->shape_count);
    floor->begin = floor_prepare(database, "BEGIN IMMEDIATE");
    floor->commit = floor_prepare(database, "COMMIT");
    char sql[200];
    for (int index = 0; index < floor->shape_count; index++) {
        const shape *shape = floor->shapes[index];
        int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", shape->table);
        for (int column = 1; column < shape->column_count; column++) {
            length += snprintf(sql + length, sizeof sql - (size_t)length, ", ?");
        }
        snprintf(sql + length, sizeof sql - (size_t)length, ")");
        floor->insert[index] = floor_prepare(database, sql);
        snprintf(sql, sizeof sql, "SELECT * FROM %s", shape->table);
        floor->scan[index] = floor_prepare(database, sql);
    }
    if (floor->shape_count > 1) return floor;
    const shape *shape = floor->shapes[0];
    const char *key = payload == merge_articles ? "identifier" : "id";
    snprintf(sql, sizeof sql, "SELECT * FROM %s WHERE %s = ?", shape->table, key);
    floor->find = floor_prepare(database, sql);
    snprintf(sql, sizeof sql, "UPDATE %s SET title = ? WHERE %s = ?", shape->table, key);
    floor->update = floor_prepare(database, sql);
    return floor;
}

void merge_floor_close(merge_floor *floor) {
    for (int index = 0; index < floor->shape_count; index++) {
        sqlite3_finalize(floor->insert[index]);
        sqlite3_finalize(floor->scan[index]);
    }
    sqlite3_finalize(floor->begin);
    sqlite3_finalize(floor->commit);
    sqlite3_finalize(floor->find);
    sqlite3_finalize(floor->update);
    sqlite3_close(floor->database);
    free(floor);
}

/* Reads the payload's records into `sink`, with memory for what is escaped in it: pages that nothing is written to cost
   nothing. */
static void read_payload(merge_floor *floor, const char *json, long length, row_sink *sink, void *context) {
    char *memory = malloc((size_t)length);
    reader reader = {json, json + length, memory, sink, context};
    read_records(&reader, floor->shapes[0]);
    free(memory);
}

static inline void bind(sqlite3_stmt *statement, int place, const cell *cell) {
    switch (cell->kind) {
    case cell_text: sqlite3_bind_text(statement, place, cell->text, cell->length, SQLITE_STATIC); break;
    case cell_integer: sqlite3_bind_int64(statement, place, cell->integer); break;
    case cell_real: sqlite3_bind_double(statement, place, cell->real); break;
    case cell_null: sqlite3_bind_null(statement, place);
    }
}

/* Written only, so that the compiler leaves no reading out. */
volatile long long merge_floor_seen;

/* Looks at every column of a row. */
static inline void look(sqlite3_stmt *row, int columns) {
    for (int column = 0; column < columns; column++) {
        switch (sqlite3_column_type(row, column)) {
        case SQLITE_TEXT: merge_floor_seen = *sqlite3_column_text(row, column) + sqlite3_column_bytes(row, column); break;
        case SQLITE_INTEGER: merge_floor_seen = sqlite3_column_int64(row, column); break;
        case SQLITE_FLOAT: merge_floor_seen = (long long)sqlite3_column_double(row, column);
        }
    }
}

/* What the sinks know. */
typedef struct {
    merge_floor *floor;
    long count, every, place;
    unsigned char *known; /* by number: linked records that were seen before */
} work;

enum { most_known = 1 << 20 };

// MARK: Reading alone

static void count_row(void *context, const shape *shape, const cell *cells) {
    (void)shape;
    merge_floor_seen = cells[0].integer;
    ((work *)context)->count++;
}

long merge_floor_read(merge_floor *floor, const char *json, long length) {
    work work = {.floor = floor};
    read_payload(floor, json, length, count_row, &work);
    return work.count;
}

// MARK: Inserting

static void insert_row(void *context, const shape *shape, const cell *cells) {
    work *work = context;
    if (shape->owner_column < 0 && shape->number > 0) {
        if (work->known[cells[0].integer & (most_known - 1)]++) return;
    }
    sqlite3_stmt *statement = work->floor->insert[shape->number];
    for (int column = 0; column < shape->column_count; column++) bind(statement, column + 1, &cells[column]);
    floor_run(statement);
    work->count++;
}

long merge_floor_insert(merge_floor *floor, const char *json, long length) {
    work work = {.floor = floor, .known = calloc(most_known, 1)};
    floor_run(floor->begin);
    floor_begin_quiet(floor->database);
    read_payload(floor, json, length, insert_row, &work);
    floor_end_quiet(floor->database);
    floor_run(floor->commit);
    free(work.known);
    return work.count;
}

// MARK: Scanning

static void scan(merge_floor *floor) {
    for (int index = 0; index < floor->shape_count; index++) {
        sqlite3_stmt *statement = floor->scan[index];
        int code;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            look(statement, floor->shapes[index]->column_count);
        }
        floor_expect(floor->database, code, SQLITE_DONE);
        sqlite3_reset(statement);
    }
}

// MARK: Updating

static void update_row(void *context, const shape *shape, const cell *cells) {
    (void)shape;
    work *work = context;
    if (work->place++ % work->every != 0) return;
    bind(work->floor->update, 1, &cells[1]);
    bind(work->floor->update, 2, &cells[0]);
    floor_run(work->floor->update);
    work->count++;
}

long merge_floor_update(merge_floor *floor, const char *json, long length, long every) {
    work work = {.floor = floor, .every = every};
    floor_run(floor->begin);
    floor_begin_quiet(floor->database);
    scan(floor);
    read_payload(floor, json, length, update_row, &work);
    floor_end_quiet(floor->database);
    floor_run(floor->commit);
    return work.count;
}

// MARK: Finding

static void find_row(void *context, const shape *shape, const cell *cells) {
    work *work = context;
    sqlite3_stmt *statement = work->floor->find;
    bind(statement, 1, &cells[0]);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        look(statement, shape->column_count);
        work->count++;
    }
    sqlite3_reset(statement);
}

long merge_floor_find(merge_floor *floor, const char *json, long length) {
    work work = {.floor = floor};
    floor_run(floor->begin);
    read_payload(floor, json, length, find_row, &work);
    floor_run(floor->commit);
    return work.count;
}

// MARK: Comparing

/* The rows of one table, and a hash table of their places from 1; 0 is none. */
typedef struct {
    cell (*rows)[most_columns];
    long count, capacity;
    uint32_t *table;
    size_t mask;
} staged;

static void stage_row(void *context, const shape *shape, const cell *cells) {
    staged *staged = context;
    staged += shape->number;
    if (staged->count == staged->capacity) {
        staged->capacity = staged->capacity ? staged->capacity * 2 : 1024;
        staged->rows = realloc(staged->rows, (size_t)staged->capacity * sizeof *staged->rows);
    }
    memcpy(staged->rows[staged->count++], cells, sizeof(cell) * (size_t)shape->column_count);
}

/* A row that only links is found by both of its columns, any other by its identity. */
static inline int key_columns(const shape *shape) { return shape->field_count ? 1 : 2; }

static inline uint64_t mix(uint64_t hash) {
    hash *= 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

/* Texts that are keys have eight bytes or more. */
static inline uint64_t hash_text(const char *text, int length) {
    uint64_t first, last;
    memcpy(&first, text, 8);
    memcpy(&last, text + length - 8, 8);
    return mix(first ^ last * 0x9E3779B97F4A7C15u);
}

static inline uint64_t hash_cell(const cell *cell) {
    return cell->kind == cell_text ? hash_text(cell->text, cell->length) : mix((uint64_t)cell->integer);
}

static inline uint64_t hash_column(sqlite3_stmt *row, int column) {
    if (sqlite3_column_type(row, column) != SQLITE_TEXT) return mix((uint64_t)sqlite3_column_int64(row, column));
    const char *text = (const char *)sqlite3_column_text(row, column);
    return hash_text(text, sqlite3_column_bytes(row, column));
}

static inline int equals(sqlite3_stmt *row, int column, const cell *cell) {
    switch (cell->kind) {
    case cell_text: {
        const unsigned char *text = sqlite3_column_text(row, column);
        return text && sqlite3_column_bytes(row, column) == cell->length
            && memcmp(text, cell->text, (size_t)cell->length) == 0;
    }
    case cell_integer: return sqlite3_column_int64(row, column) == cell->integer;
    case cell_real: return sqlite3_column_double(row, column) == cell->real;
    default: return sqlite3_column_type(row, column) == SQLITE_NULL;
    }
}

static inline int is_same(const cell *first, const cell *second) {
    if (first->kind != cell_text) return first->integer == second->integer;
    return first->length == second->length && memcmp(first->text, second->text, (size_t)first->length) == 0;
}

/* Of several rows with one key, the last counts. */
static void index_rows(staged *staged, const shape *shape) {
    int keys = key_columns(shape);
    size_t slots = 16;
    while (slots < (size_t)staged->count * 2) slots *= 2;
    staged->table = calloc(slots, sizeof *staged->table);
    staged->mask = slots - 1;
    for (long index = 0; index < staged->count; index++) {
        const cell *cells = staged->rows[index];
        uint64_t hash = hash_cell(&cells[0]);
        if (keys == 2) hash = mix(hash + hash_cell(&cells[1]));
        size_t slot = hash & staged->mask;
        for (; staged->table[slot]; slot = (slot + 1) & staged->mask) {
            const cell *other = staged->rows[staged->table[slot] - 1];
            if (is_same(&cells[0], &other[0]) && (keys == 1 || is_same(&cells[1], &other[1]))) break;
        }
        staged->table[slot] = (uint32_t)index + 1;
    }
}

/* The row of the payload with the same key; NULL if there is none. */
static const cell *match(sqlite3_stmt *row, const staged *staged, int keys) {
    uint64_t hash = hash_column(row, 0);
    if (keys == 2) hash = mix(hash + hash_column(row, 1));
    for (size_t slot = hash & staged->mask; staged->table[slot]; slot = (slot + 1) & staged->mask) {
        const cell *cells = staged->rows[staged->table[slot] - 1];
        if (equals(row, 0, &cells[0]) && (keys == 1 || equals(row, 1, &cells[1]))) return cells;
    }
    return NULL;
}

/* The number of a table's rows that are equal to those of the payload. */
static long compare(merge_floor *floor, staged *staged, const shape *shape) {
    sqlite3_stmt *row = floor->scan[shape->number];
    int keys = key_columns(shape), code;
    long equal = 0;
    index_rows(staged, shape);
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        const cell *cells = match(row, staged, keys);
        int isEqual = cells != NULL;
        for (int column = keys; isEqual && column < shape->column_count; column++) {
            isEqual = equals(row, column, &cells[column]);
        }
        equal += isEqual;
    }
    floor_expect(floor->database, code, SQLITE_DONE);
    sqlite3_reset(row);
    free(staged->table);
    free(staged->rows);
    return equal;
}

long merge_floor_compare(merge_floor *floor, const char *json, long length) {
    staged staged[most_tables] = {0};
    char *memory = malloc((size_t)length);
    reader reader = {json, json + length, memory, stage_row, staged};
    floor_run(floor->begin);
    read_records(&reader, floor->shapes[0]);
    long equal = 0;
    for (int index = 0; index < floor->shape_count; index++) {
        equal += compare(floor, &staged[index], floor->shapes[index]);
    }
    floor_run(floor->commit);
    free(memory);
    return equal;
}
