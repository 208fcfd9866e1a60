// `GenerationOptions` names SQL dialects, which belong to the module that writes SQL. Whoever prints to the `Console`
// writes `TerminalText`.
@_exported public import LockstepEvolution
@_exported public import LockstepJSON
