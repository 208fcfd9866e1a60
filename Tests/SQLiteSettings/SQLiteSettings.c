#include "SQLiteSettings.h"
#include <sqlite3.h>

/// Stops SQLite from counting the memory it uses. The count has one lock for the whole process, which it takes for each
/// allocation. Tests open many files at once, and spent a quarter of their time waiting for that lock. Apple's SQLite
/// does not count.
///
/// SQLite accepts this only before its first use, which may be in any test, so it is called before `main`.
__attribute__((constructor)) static void stopCountingMemory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
