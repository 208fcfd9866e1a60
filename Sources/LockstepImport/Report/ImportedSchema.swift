/// A schema made of something else.
package struct ImportedSchema: Sendable {
    /// The schema's name.
    package let name: String
    /// The YAML.
    package var text: String
    package var report: ImportReport
    /// The YAML of its history; `nil` without one.
    package var history: String?
}
