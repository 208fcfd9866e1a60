#include <sqlite3.h>

/// Enables or disables the triggers of a connection, except temporary ones (SQLITE_DBCONFIG_ENABLE_TRIGGER). If this
/// changes the setting, every prepared statement is prepared again when it next runs.
///
/// sqlite3_db_config() is variadic, so Swift cannot call it.
///
/// - Parameter isEnabled: 1 or 0; -1 changes nothing.
/// - Parameter current: Receives the resulting setting.
static inline int lockstep_enable_triggers(sqlite3 *connection, int isEnabled, int *current) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, isEnabled, current);
}
