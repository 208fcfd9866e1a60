// Remotes are written with requests and responses, and with the values that tables have.
@_exported public import LockstepHTTP
@_exported public import LockstepTables
