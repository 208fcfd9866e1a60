#include <sqlite3.h>

/// Enables or disables all triggers of a connection (SQLITE_DBCONFIG_ENABLE_TRIGGER). Every prepared statement of the
/// connection is prepared again when it runs next.
///
/// sqlite3_db_config() is variadic, so Swift cannot call it.
static inline int lockstep_enable_triggers(sqlite3 *connection, int isEnabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, isEnabled, (int *)0);
}
