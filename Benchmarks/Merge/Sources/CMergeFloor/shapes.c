#include "internal.h"

#include <stddef.h>

#define KEY(name) "\"" name "\"", sizeof name + 1

#define ARTICLE_FIELDS                            \
    {KEY("title"), as_it_is, 1, NULL},            \
    {KEY("body_text"), as_it_is, 2, NULL},        \
    {KEY("mood"), as_it_is, 3, NULL},             \
    {KEY("created_at"), as_date, 4, NULL},        \
    {KEY("word_count"), as_it_is, 5, NULL},       \
    {KEY("temperature"), as_it_is, 6, NULL},      \
    {KEY("is_favourite"), as_it_is, 7, NULL}

static const shape article = {"article", 0, 8, 8, -1, {{KEY("identifier"), as_it_is, 0, NULL}, ARTICLE_FIELDS}};
static const shape numbered = {"numbered_article", 0, 8, 8, -1, {{KEY("id"), as_it_is, 0, NULL}, ARTICLE_FIELDS}};

static const shape author = {
    "author", 1, 2, 2, -1, {{KEY("id"), as_it_is, 0, NULL}, {KEY("name"), as_it_is, 1, NULL}}};
/* The rows are made of a number and its owner. */
static const shape tag_post = {"tag_post", 2, 2, 0, 1, {{NULL, 0, as_it_is, 0, NULL}}};
static const shape post = {
    "post", 0, 5, 6, -1,
    {{KEY("id"), as_it_is, 0, NULL},
     {KEY("title"), as_it_is, 1, NULL},
     {KEY("body_text"), as_it_is, 2, NULL},
     {KEY("created_at"), as_date, 3, NULL},
     {KEY("author"), as_linked_record, 4, &author},
     {KEY("tag_ids"), as_linked_numbers, -1, &tag_post}}};

static const shape component = {
    "component", 2, 6, 5, 5,
    {{KEY("id"), as_it_is, 0, NULL},
     {KEY("name"), as_it_is, 1, NULL},
     {KEY("manufacturer"), as_it_is, 2, NULL},
     {KEY("part_number"), as_it_is, 3, NULL},
     {KEY("quantity"), as_it_is, 4, NULL}}};
static const shape sheet = {
    "sheet", 1, 4, 4, 3,
    {{KEY("id"), as_it_is, 0, NULL},
     {KEY("name"), as_it_is, 1, NULL},
     {KEY("status"), as_it_is, 2, NULL},
     {KEY("components"), as_owned_records, -1, &component}}};
static const shape project = {
    "project", 0, 3, 4, -1,
    {{KEY("id"), as_it_is, 0, NULL},
     {KEY("name"), as_it_is, 1, NULL},
     {KEY("client"), as_it_is, 2, NULL},
     {KEY("sheets"), as_owned_records, -1, &sheet}}};

static const shape *const article_shapes[] = {&article};
static const shape *const numbered_shapes[] = {&numbered};
static const shape *const post_shapes[] = {&post, &author, &tag_post};
static const shape *const project_shapes[] = {&project, &sheet, &component};

const shape *const *shapes_of(merge_payload payload, int *count) {
    *count = payload == merge_articles || payload == merge_numbered_articles ? 1 : 3;
    switch (payload) {
    case merge_articles: return article_shapes;
    case merge_numbered_articles: return numbered_shapes;
    case merge_posts: return post_shapes;
    default: return project_shapes;
    }
}
