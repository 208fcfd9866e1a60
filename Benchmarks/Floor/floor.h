#ifndef FLOOR_H
#define FLOOR_H

/* The parts a floor is put together from. Each ends the process with a message if a call fails. */

void parse_yaml(const char *path);
void parse_xml(const char *path);
void write_files(const char *folder, const char *list);
void read_files(const char *folder, const char *list);
void list_files(const char *folder, const char *list);

/* Prints `what: path: the system's reason` and exits with 1. */
_Noreturn void fail(const char *what, const char *path);

/* The bytes of a file, followed by a zero; `*size` leaves the zero out. Never freed: the process ends soon. */
char *read_whole(const char *path, long *size);

#endif
