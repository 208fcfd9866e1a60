#include "SQLiteSettings.h"
#include <sqlite3.h>

/// Stops SQLite from counting the memory it uses. For each allocation, the count takes a lock that the whole process
/// shares. Tests that open many files at once spent a quarter of their time waiting for it.
///
/// And lets it take names that begin with `file:` for URIs, as the SQLite of Apple and of Debian does (`USE_URI`): files
/// that cannot be written are opened by `?immutable=1`.
///
/// SQLite accepts these settings only before its first use, so they are made when this code is loaded. If that is too
/// late, nothing changes.
__attribute__((constructor)) static void configure(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_URI, 1);
}
