// The maps beside this file are what LockstepImportTests expects of its fixtures. This target shows that they compile
// without a warning.
