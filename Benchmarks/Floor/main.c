/* The floors: the least that must happen, with nothing of ours around it. See README.md. */
#include "floor.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: floor yaml SCHEMA                  libyaml reads every event\n"
    "       floor write FOLDER LIST            writes files of the sizes in LIST\n"
    "       floor read FOLDER LIST             reads the files in LIST\n"
    "       floor generate SCHEMA FOLDER LIST  yaml, then write\n"
    "       floor unchanged SCHEMA FOLDER LIST yaml, then read\n"
    "       floor xml MODEL                    libxml2 reads every event\n"
    "       floor import MODEL FOLDER LIST     xml, then write\n"
    "       floor list FOLDER LIST             writes LIST: a line `size path` for each file\n";

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "yaml") == 0 && count == 3) {
        parse_yaml(arguments[2]);
    } else if (strcmp(mode, "write") == 0 && count == 4) {
        write_files(arguments[2], arguments[3]);
    } else if (strcmp(mode, "read") == 0 && count == 4) {
        read_files(arguments[2], arguments[3]);
    } else if (strcmp(mode, "generate") == 0 && count == 5) {
        parse_yaml(arguments[2]);
        write_files(arguments[3], arguments[4]);
    } else if (strcmp(mode, "unchanged") == 0 && count == 5) {
        parse_yaml(arguments[2]);
        read_files(arguments[3], arguments[4]);
    } else if (strcmp(mode, "xml") == 0 && count == 3) {
        parse_xml(arguments[2]);
    } else if (strcmp(mode, "import") == 0 && count == 5) {
        parse_xml(arguments[2]);
        write_files(arguments[3], arguments[4]);
    } else if (strcmp(mode, "list") == 0 && count == 4) {
        list_files(arguments[2], arguments[3]);
    } else {
        fputs(usage, stderr);
        return 2;
    }
    return 0;
}
