// A schema is a structure with names, documentation and access: its types are those of the structure.
@_exported public import LockstepEvolution
