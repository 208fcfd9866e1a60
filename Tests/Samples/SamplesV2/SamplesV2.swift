// The models are generated from the schema in each build. SwiftPM ignores a target without a file of Swift.
