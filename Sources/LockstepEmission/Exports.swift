// Whoever reports something writes `TerminalText`.
@_exported public import LockstepJSON
