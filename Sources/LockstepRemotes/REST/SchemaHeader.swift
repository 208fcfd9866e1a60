public import HTTPTypes
import LockstepTables

/// The schema of an app, as a header field of its requests: `Lockstep-Schema: Journal/3; wire=4087fcf77b730522`.
///
/// A server can respond in the form of that version, or respond with 426 if the version is too old
/// (``/LockstepHTTP/SyncError/Code/updateNeeded(message:)``). The value contains the schema's name, its version, and a
/// hash of the form of its JSON: two versions with the same hash send and read the same JSON.
///
/// ```swift
/// var conventions = RESTConventions()
/// conventions.schema = SchemaHeader(JournalSchema.self)
/// ```
public struct SchemaHeader: Sendable, Hashable {
    /// The name of the field: `Lockstep-Schema`.
    public static let name = HTTPField.Name("Lockstep-Schema")!

    /// The value of the field.
    public let value: String

    package init(schema name: String, version: Int, fingerprint: String) {
        // The fingerprint consists of the hash of the tables and that of the JSON.
        let hashes = fingerprint.split(separator: "-")
        let wire = hashes.count == 2 ? "; wire=\(hashes[1])" : ""
        value = "\(RemoteAddress.segment(name))/\(version)\(wire)"
    }
}
