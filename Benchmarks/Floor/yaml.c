#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

/* Every event is asked for and dropped: what any tool pays that reads YAML with libyaml. */
void parse_yaml(const char *path) {
    long size;
    char *text = read_whole(path, &size);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) fail("cannot start libyaml", path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, (size_t)size);
    int isDone = 0;
    while (!isDone) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            fprintf(stderr, "floor: %s:%zu: %s\n", path, parser.problem_mark.line + 1, parser.problem);
            exit(1);
        }
        isDone = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    free(text);
}
