// The models are generated from the schemas in each build. SwiftPM ignores a target without a file of Swift.
