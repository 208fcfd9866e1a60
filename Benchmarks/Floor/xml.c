#include "floor.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was read: every element, and every byte of the names and values of all attributes. */
struct touched {
    long elements;
    unsigned long bytes;
};

static unsigned long sum(const xmlChar *from, const xmlChar *end) {
    unsigned long result = 0;
    while (from < end) result += *from++;
    return result;
}

/* Five pointers for each attribute: its name, its prefix, its namespace, and where its value begins and ends. */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int namespaceCount, const xmlChar **namespaces, int attributeCount, int defaultCount,
                          const xmlChar **attributes) {
    (void)prefix, (void)uri, (void)namespaceCount, (void)namespaces, (void)defaultCount;
    struct touched *touched = context;
    touched->elements += 1;
    touched->bytes += sum(name, name + strlen((const char *)name));
    for (int index = 0; index < attributeCount; index++) {
        const xmlChar **attribute = attributes + 5 * index;
        touched->bytes += sum(attribute[0], attribute[0] + strlen((const char *)attribute[0]));
        touched->bytes += sum(attribute[3], attribute[4]);
    }
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)context, (void)name, (void)prefix, (void)uri;
}

static void characters(void *context, const xmlChar *text, int length) {
    ((struct touched *)context)->bytes += sum(text, text + length);
}

/* Every event is asked for and every attribute read: what any tool pays that reads XML with libxml2. */
void parse_xml(const char *path) {
    long size;
    char *text = read_whole(path, &size);
    struct touched touched = {0, 0};
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start_element;
    handler.endElementNs = end_element;
    handler.characters = characters;
    handler.ignorableWhitespace = characters;
    if (xmlSAXUserParseMemory(&handler, &touched, text, (int)size) != 0 || touched.elements == 0 || touched.bytes == 0) {
        fprintf(stderr, "floor: %s: libxml2 cannot read it\n", path);
        exit(1);
    }
    free(text);
}
