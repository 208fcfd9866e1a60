import LockstepGenerator
import LockstepSchema

/// A schema's name that was given to a command.
enum SchemaName {
    /// Throws ``UsageFailure`` if no schema can have the name. It is read in quotes, so that it cannot be anything but
    /// a name.
    static func check(_ name: String) throws {
        let text = """
            lockstep: 1
            schema: '\(name.replacing("'", with: "''"))'
            entities:
              Entry: { attributes: { id: int } }

            """
        let reading = readSchemas([SchemaSource(path: "", bytes: Array(text.utf8))])
        guard let finding = reading.diagnostics.first else { return }
        throw UsageFailure(
            message: """
                \(finding.message). A schema's name begins with a capital letter, and has letters and digits. \
                \(finding.remedy)
                """)
    }
}
