/// How a schema is created from files.
package struct ImportOptions: Sendable {
    /// The name of the schema; `nil` for that of the file.
    package var name: String?
    /// Whether a history of all versions is written, if the source has versions.
    package var hasVersions = false
    /// Whether what copies the rows is written, if the source has rows or describes where they are.
    package var hasRows = false
    /// Whether the records of samples are kept.
    package var keepsSamples = false

    package init(
        name: String? = nil, hasVersions: Bool = false, hasRows: Bool = false, keepsSamples: Bool = false
    ) {
        (self.name, self.hasVersions, self.hasRows) = (name, hasVersions, hasRows)
        self.keepsSamples = keepsSamples
    }
}
