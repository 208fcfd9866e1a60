/// A schema that was created from something else.
package struct ImportedSchema: Sendable {
    /// The schema's name.
    package let name: String
    /// The YAML.
    package let text: String
    package let report: ImportReport
    /// Whether the schema was checked by all rules before it was written as this text.
    package var isChecked = false
    /// The YAML of its history; `nil` without one.
    package var history: String?
    /// Other files beside the schema, such as the script that copies the rows.
    package var companions: [Companion] = []

    /// The records that it was created from, if they were asked for.
    package var samples: [SampleRecords] = []

    package struct Companion: Hashable, Sendable {
        /// The name of the file: `Shop.rows.sql`.
        package let name: String
        package let text: String
    }
}
