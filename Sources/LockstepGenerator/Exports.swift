// `GenerationOptions` names SQL dialects, which belong to the module that writes SQL.
@_exported public import LockstepEvolution
