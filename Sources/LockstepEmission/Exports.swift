// Whoever reports something writes `TerminalText`.
@_exported package import LockstepJSON
