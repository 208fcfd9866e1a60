#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const reader *reader) {
    fprintf(stderr, "floor: cannot read the payload at %.20s\n", reader->at);
    exit(1);
}

static inline void skip_space(reader *reader) {
    while (*reader->at <= ' ' && reader->at < reader->end) reader->at++;
}

/* Whether a punctuation mark comes next; it is passed over. */
static inline int passes(reader *reader, char mark) {
    skip_space(reader);
    if (*reader->at != mark) return 0;
    reader->at++;
    return 1;
}

static inline void pass(reader *reader, char mark) {
    if (!passes(reader, mark)) fail(reader);
}

/* A byte's highest bit is set where `bytes` has `byte`; bytes before the first one found are never set. */
static inline uint64_t having(uint64_t bytes, unsigned char byte) {
    const uint64_t ones = 0x0101010101010101u;
    uint64_t different = bytes ^ (ones * byte);
    return (different - ones) & ~different & (ones << 7);
}

/* The first quote or backslash from `at`. */
static inline const char *text_end(const char *at, const char *end) {
    while (end - at >= 8) {
        uint64_t bytes;
        memcpy(&bytes, at, 8);
        uint64_t found = having(bytes, '"') | having(bytes, '\\');
        if (found) return at + (__builtin_ctzll(found) >> 3);
        at += 8;
    }
    while (at < end && *at != '"' && *at != '\\') at++;
    return at;
}

static unsigned hexadecimal(const char *at) {
    unsigned code = 0;
    for (int index = 0; index < 4; index++) {
        unsigned char digit = (unsigned char)at[index];
        code = code << 4 | (unsigned)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return code;
}

static char *write_scalar(char *to, unsigned scalar) {
    if (scalar < 0x80) {
        *to++ = (char)scalar;
    } else if (scalar < 0x800) {
        *to++ = (char)(0xC0 | scalar >> 6);
        *to++ = (char)(0x80 | (scalar & 63));
    } else if (scalar < 0x10000) {
        *to++ = (char)(0xE0 | scalar >> 12);
        *to++ = (char)(0x80 | (scalar >> 6 & 63));
        *to++ = (char)(0x80 | (scalar & 63));
    } else {
        *to++ = (char)(0xF0 | scalar >> 18);
        *to++ = (char)(0x80 | (scalar >> 12 & 63));
        *to++ = (char)(0x80 | (scalar >> 6 & 63));
        *to++ = (char)(0x80 | (scalar & 63));
    }
    return to;
}

/* Copies a text without its escapes; `stop` is the first of them. */
static void read_escaped(reader *reader, const char *stop, cell *cell) {
    char *to = reader->unescaped;
    const char *at = reader->at;
    cell->text = to;
    while (*stop == '\\') {
        memcpy(to, at, (size_t)(stop - at));
        to += stop - at;
        at = stop + 2;
        switch (stop[1]) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'r': *to++ = '\r'; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'u': {
            unsigned scalar = hexadecimal(at);
            at += 4;
            if (scalar >= 0xD800 && scalar < 0xDC00) {
                scalar = 0x10000 + ((scalar - 0xD800) << 10) + hexadecimal(at + 2) - 0xDC00;
                at += 6;
            }
            to = write_scalar(to, scalar);
            break;
        }
        default: *to++ = stop[1];
        }
        stop = text_end(at, reader->end);
    }
    memcpy(to, at, (size_t)(stop - at));
    to += stop - at;
    cell->length = (int)(to - cell->text);
    reader->unescaped = to;
    reader->at = stop + 1;
}

static inline void read_text(reader *reader, cell *cell) {
    const char *stop = text_end(++reader->at, reader->end);
    cell->kind = cell_text;
    if (__builtin_expect(*stop == '\\', 0)) {
        read_escaped(reader, stop, cell);
        return;
    }
    cell->text = reader->at;
    cell->length = (int)(stop - reader->at);
    reader->at = stop + 1;
}

static void read_number(reader *reader, cell *cell) {
    static const double powers[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = reader->at, *start = at;
    int isNegative = *at == '-', digits = 0, decimals = 0;
    at += isNegative;
    uint64_t number = 0;
    for (; (unsigned char)(*at - '0') < 10; at++, digits++) number = number * 10 + (uint64_t)(*at - '0');
    if (*at != '.' && (*at | 32) != 'e') {
        cell->kind = cell_integer;
        cell->integer = isNegative ? -(int64_t)number : (int64_t)number;
        reader->at = at;
        return;
    }
    cell->kind = cell_real;
    if (*at == '.') {
        for (at++; (unsigned char)(*at - '0') < 10; at++, digits++, decimals++) {
            number = number * 10 + (uint64_t)(*at - '0');
        }
    }
    if ((*at | 32) == 'e' || digits > 15) {
        char *stop;
        cell->real = strtod(start, &stop);
        reader->at = stop;
        return;
    }
    cell->real = (double)number / powers[decimals];
    if (isNegative) cell->real = -cell->real;
    reader->at = at;
}

static inline int two(const char *at) { return (at[0] - '0') * 10 + (at[1] - '0'); }

/* `2023-11-14T22:13:20Z`: seconds since 1970. The days are counted from March, as in Howard Hinnant's days_from_civil. */
static void make_date(cell *cell) {
    if (cell->kind != cell_text) return;
    const char *at = cell->text;
    int year = two(at) * 100 + two(at + 2), month = two(at + 5), day = two(at + 8);
    year -= month <= 2;
    int era = year / 400, yearOfEra = year - era * 400;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = (int64_t)era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
    int seconds = two(at + 11) * 3600 + two(at + 14) * 60 + two(at + 17);
    cell->kind = cell_real;
    cell->real = (double)(days * 86400 + seconds);
}

static inline void read_value(reader *reader, cell *cell) {
    switch (*reader->at) {
    case '"': read_text(reader, cell); break;
    case 't':
        cell->kind = cell_integer;
        cell->integer = 1;
        reader->at += 4;
        break;
    case 'f':
        cell->kind = cell_integer;
        cell->integer = 0;
        reader->at += 5;
        break;
    case 'n':
        cell->kind = cell_null;
        reader->at += 4;
        break;
    default: read_number(reader, cell);
    }
}

/* The field of the key that comes next: the one that usually does, or whichever has its name. */
static inline const field *read_key(reader *reader, const shape *shape, int usual) {
    for (int tried = 0; tried < shape->field_count; tried++) {
        int index = usual + tried;
        if (index >= shape->field_count) index -= shape->field_count;
        const field *field = &shape->fields[index];
        if (reader->end - reader->at < field->length || memcmp(reader->at, field->key, (size_t)field->length) != 0) {
            continue;
        }
        reader->at += field->length;
        pass(reader, ':');
        skip_space(reader);
        return field;
    }
    fail(reader);
    return NULL;
}

static void read_record(reader *reader, const shape *shape, const cell *owner, cell *identity);

static void read_owned(reader *reader, const shape *shape, const cell *owner) {
    pass(reader, '[');
    if (passes(reader, ']')) return;
    do {
        read_record(reader, shape, owner, NULL);
    } while (passes(reader, ','));
    pass(reader, ']');
}

static void read_linked_numbers(reader *reader, const shape *shape, const cell *owner) {
    cell cells[2] = {{.kind = cell_null}, *owner};
    pass(reader, '[');
    if (passes(reader, ']')) return;
    do {
        skip_space(reader);
        read_value(reader, &cells[0]);
        reader->sink(reader->context, shape, cells);
    } while (passes(reader, ','));
    pass(reader, ']');
}

static void read_record(reader *reader, const shape *shape, const cell *owner, cell *identity) {
    cell cells[most_columns];
    for (int column = 0; column < shape->column_count; column++) cells[column].kind = cell_null;
    if (owner) cells[shape->owner_column] = *owner;
    pass(reader, '{');
    skip_space(reader);
    int usual = 0;
    do {
        skip_space(reader);
        const field *field = read_key(reader, shape, usual);
        usual = (int)(field - shape->fields) + 1;
        switch (field->meaning) {
        case as_it_is: read_value(reader, &cells[field->column]); break;
        case as_date:
            read_value(reader, &cells[field->column]);
            make_date(&cells[field->column]);
            break;
        case as_owned_records: read_owned(reader, field->target, &cells[0]); break;
        case as_linked_numbers: read_linked_numbers(reader, field->target, &cells[0]); break;
        case as_linked_record:
            if (*reader->at == 'n') {
                read_value(reader, &cells[field->column]);
            } else {
                read_record(reader, field->target, NULL, &cells[field->column]);
            }
        }
    } while (passes(reader, ','));
    pass(reader, '}');
    if (identity) *identity = cells[0];
    reader->sink(reader->context, shape, cells);
}

void read_records(reader *reader, const shape *shape) { read_owned(reader, shape, NULL); }
