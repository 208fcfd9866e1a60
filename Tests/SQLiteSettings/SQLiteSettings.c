#include "SQLiteSettings.h"
#include <sqlite3.h>

/// Stops SQLite from counting the memory it uses. For each allocation, the count takes a lock that the whole process
/// shares. Tests that open many files at once spent a quarter of their time waiting for it.
///
/// SQLite accepts this setting only before its first use, so it is made when this code is loaded. If that is too late,
/// nothing changes.
__attribute__((constructor)) static void stopCountingMemory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
