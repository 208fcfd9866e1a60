package import LockstepJSON

/// One recorded change of a schema. It can be applied to a structure, and contains enough to make the former structure
/// again.
package struct SchemaChange: Hashable, Sendable {
    /// The changed part: an entity, an enum, or a member of an entity.
    package var path: MemberPath
    package var action: Action
    /// The treatment of existing rows, for changes that could fail on some of them.
    package var answers: ChangeAnswers

    package enum Action: Hashable, Sendable {
        /// The properties, as in ``SchemaTree``; those of an entity contain its members.
        case add(JSONObject)
        /// The properties that it had.
        case remove(was: JSONObject)
        case rename(to: String)
        /// The properties that differ, before and after; a missing one is `null`.
        case change(from: JSONObject, to: JSONObject)
    }

    package init(_ path: MemberPath, action: Action, answers: ChangeAnswers = ChangeAnswers()) {
        self.path = path
        self.action = action
        self.answers = answers
    }
}

/// The name of an entity or enum, or of a member: `Entry`, `Entry.title`.
package struct MemberPath: Hashable, Sendable, CustomStringConvertible {
    /// The entity or the enum.
    package var type: String
    /// The attribute or relationship; `nil` for the type itself.
    package var member: String?

    package init(_ type: String, member: String? = nil) {
        self.type = type
        self.member = member
    }

    /// Reads `Entry` or `Entry.title`.
    ///
    /// - Returns: `nil` for any other text.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        type = String(parts[0])
        member = parts.count == 2 ? String(parts[1]) : nil
    }

    package var description: String { member.map { "\(type).\($0)" } ?? type }
}

/// The effect of a change on rows that do not fit. Each is `nil` if the change does not need it.
package struct ChangeAnswers: Hashable, Sendable {
    /// The value of existing rows: of an added attribute, or instead of NULL.
    package var fill: JSONValue?
    /// How values of another type are converted: `number`, `text`, or `swift` for a function of the app.
    package var convert: String?
    /// The value of rows that the conversion cannot convert; `null` for none.
    package var otherwise: JSONValue?
    /// Whether rows without local changes are deleted, to be pulled again.
    package var refetch: Bool
    /// Which of several records with the same value stays: `keepFirst`, or `keepNewest(by: attribute)`.
    package var duplicates: String?
    /// For an enum, the case that replaces each removed one.
    package var cases: [String: String]
    /// For an entity whose records begin to be synced, which side has them first.
    package var first: FirstSync?
    /// Why something is removed, for readers.
    package var because: String?

    package init(
        fill: JSONValue? = nil, convert: String? = nil, otherwise: JSONValue? = nil, refetch: Bool = false,
        duplicates: String? = nil, cases: [String: String] = [:], first: FirstSync? = nil, because: String? = nil
    ) {
        self.fill = fill
        self.convert = convert
        self.otherwise = otherwise
        self.refetch = refetch
        self.duplicates = duplicates
        self.cases = cases
        self.first = first
        self.because = because
    }

    package var isEmpty: Bool { self == ChangeAnswers() }

    /// The treatment of existing records when an entity begins to be synced.
    package enum FirstSync: String, Hashable, Sendable, CaseIterable {
        /// The server has none of them: each is sent as a creation.
        case push
        /// The server has them: they count as unchanged, and the first pull matches them by their identities.
        case pull
    }
}
