// The schemas and maps beside this file are what LockstepImportTests expects of its fixtures. This target shows that their
// code compiles without a warning.
