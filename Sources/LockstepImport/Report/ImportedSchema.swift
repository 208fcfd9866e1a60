/// A schema made of something else.
package struct ImportedSchema: Sendable {
    /// The schema's name.
    package let name: String
    /// The YAML.
    package let text: String
    package let report: ImportReport
    /// The YAML of its history; `nil` without one.
    package let history: String?
}
