/// The details of a merge, if ``MergeOptions/isTraced`` is set. It is for debugging, and contains names but no values
/// except identities.
public struct MergeTrace: Sendable, Hashable {
    /// The keys that are not in the schema (Rules.md, M13), with the number of records that had them.
    public private(set) var unknownKeys: [UnknownKey] = []
    /// The string attributes whose values in the payload were numbers or Bools, read as their JSON text (Rules.md, N4).
    public private(set) var convertedStrings: [ConvertedString] = []
    /// Which key was read into which attribute or relationship.
    public private(set) var routes: [KeyRoute] = []
    /// The changes in each updated record.
    public private(set) var changes: [RecordChange] = []

    /// A key that is not in the schema.
    public struct UnknownKey: Sendable, Hashable {
        /// The entity of the record that has it.
        public let entity: String
        /// The path of the key from the record: `meta.page`.
        public let keyPath: String
        /// The number of records that had the key.
        public let count: Int

        package init(entity: String, keyPath: String, count: Int) {
            self.entity = entity
            self.keyPath = keyPath
            self.count = count
        }
    }

    /// A string attribute whose value in the payload was a number or a Bool at least once.
    public struct ConvertedString: Sendable, Hashable {
        /// The entity, by its name in the schema.
        public let entity: String
        /// The attribute, by its name in the schema.
        public let member: String

        package init(entity: String, member: String) {
            self.entity = entity
            self.member = member
        }
    }

    /// A key of the payload, and what it was read into.
    public struct KeyRoute: Sendable, Hashable {
        /// The entity of the records that have the key.
        public let entity: String
        /// The path of the key as it is in the payload.
        public let keyPath: String
        /// The attribute or relationship, by its name in the schema.
        public let member: String
        /// The column; `nil` for a relationship whose links are stored elsewhere.
        public let column: String?

        package init(entity: String, keyPath: String, member: String, column: String?) {
            self.entity = entity
            self.keyPath = keyPath
            self.member = member
            self.column = column
        }
    }

    /// A record that was updated.
    public struct RecordChange: Sendable, Hashable {
        /// The record's entity, by its name in the schema.
        public let entity: String
        /// The record's identity.
        public let identity: String
        /// The attributes and relationships whose values were changed, by their names in the schema.
        public let members: [String]

        package init(entity: String, identity: String, members: [String]) {
            self.entity = entity
            self.identity = identity
            self.members = members
        }
    }

    package init(
        unknownKeys: [UnknownKey] = [], routes: [KeyRoute] = [], convertedStrings: [ConvertedString] = [],
        changes: [RecordChange] = []
    ) {
        self.unknownKeys = unknownKeys
        self.convertedStrings = convertedStrings
        self.routes = routes
        self.changes = changes
    }
}

extension MergeTrace {
    var isEmpty: Bool {
        routes.isEmpty && unknownKeys.isEmpty && convertedStrings.isEmpty && changes.isEmpty
    }
}

extension MergeTrace: CustomStringConvertible {
    /// A line for each route, unknown key, converted string and changed record: `Entry: body_text → bodyText`,
    /// `Entry: mod is unknown (3)`, `Entry “7”: title, mood changed`.
    @_spi(Requirements) public var description: String {
        let lines =
            routes.map { "\($0.entity): \($0.keyPath) → \($0.member)" }
            + unknownKeys.map { "\($0.entity): \($0.keyPath) is unknown (\($0.count))" }
            + convertedStrings.map { "\($0.entity): \($0.member) is a string, and came as a number or a Bool" }
            + changes.map { "\($0.entity) “\($0.identity)”: \($0.members.joined(separator: ", ")) changed" }
        return lines.joined(separator: "\n")
    }
}
