/// The version of a schema that a file has, as the file records it.
package struct FileVersion: Hashable, Sendable {
    package let number: Int
    /// The text of the structure's hash.
    package let fingerprint: String
    /// Whether the file records its structure. One of version 0.1 of the library does not: it is known by its number,
    /// and its tables are compared before they are changed.
    package let isDescribed: Bool

    package init(number: Int, fingerprint: String, isDescribed: Bool = true) {
        self.number = number
        self.fingerprint = fingerprint
        self.isDescribed = isDescribed
    }

    /// Its version in a history. The number may have changed when branches were merged, the structure not.
    package func recorded(in history: SchemaHistory) -> SchemaHistory.Version? {
        let same = history.versions.filter { $0.hash.text == fingerprint }
        if let version = same.first(where: { $0.number == number }) ?? same.last { return version }
        return isDescribed ? nil : history.versions.first { $0.number == number }
    }

    /// Returns how an app of another version treats the file: the rule of the store, and of `lockstep check`.
    ///
    /// - Parameters:
    ///   - app: The version of the app's schema.
    ///   - history: The history in the app.
    ///   - isDraft: Whether the schema has changes that the history does not record.
    package func origin(for app: FileVersion, history: SchemaHistory?, isDraft: Bool = false) -> FileOrigin {
        if number == app.number, fingerprint == app.fingerprint { return .current }
        if number > app.number { return .newer }
        if number < app.number || isDraft, let version = history.flatMap(recorded) { return .recorded(version) }
        let oldest = history?.first.number
        return number < oldest ?? app.number ? .older(oldest: oldest) : .unrecorded
    }
}

/// The relation of a file to an app.
package enum FileOrigin: Hashable, Sendable {
    /// Of the app's own version.
    case current
    /// Of a version of the app's history: it is migrated.
    case recorded(SchemaHistory.Version)
    /// Of a later version.
    case newer
    /// Of a version before the first one of the history; `nil` if the app has no history.
    case older(oldest: Int?)
    /// Of a structure that the history does not have.
    case unrecorded
}
