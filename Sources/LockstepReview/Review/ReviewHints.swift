package import LockstepEvolution
package import LockstepJSON

/// The hints of a developer about the changes of a schema. Paths have the former names, or the new ones.
package struct ReviewHints: Hashable, Sendable {
    /// By the former path.
    package var renames: [MemberPath: String] = [:]
    package var removals: Set<MemberPath> = []
    /// The value of rows that have none, as text or as a recorded value.
    package var fills: [MemberPath: JSONValue] = [:]
    /// The entities whose rows are pulled again.
    package var refetched: Set<String> = []
    /// `number`, `text` or `swift`.
    package var conversions: [MemberPath: String] = [:]
    /// The value of rows that cannot be kept.
    package var otherwise: [MemberPath: JSONValue] = [:]
    /// `keepFirst`, `keepNewest(by: attribute)` or `refetch`.
    package var duplicates: [MemberPath: String] = [:]
    /// The replacement of a case, by its enum and name.
    package var cases: [MemberPath: String] = [:]
    /// `push` or `pull`, by the entity that begins to be synced.
    package var firsts: [MemberPath: String] = [:]
    /// Why something is removed.
    package var because: String?

    package init() {}

    /// A value as it is written in a command.
    package static func value(_ text: String) -> JSONValue { .string(text) }

    /// The hints that lead to recorded changes, to give them again for other ones.
    package init(recordedIn changes: [SchemaChange]) {
        for change in changes {
            let (path, answers) = (change.path, change.answers)
            switch change.action {
            case .rename(to: let name):
                // Names that changed places were renamed in two steps.
                let first = renames.first { $0.key.type == path.type && path.member != nil && $0.value == path.member }
                renames[first?.key ?? path] = name
            case .remove: removals.insert(path)
            case .add, .change: break
            }
            fills[path] = answers.refetch ? nil : answers.fill
            otherwise[path] = answers.otherwise
            conversions[path] = answers.convert
            if answers.refetch { refetched.insert(path.type) }
            duplicates[path] = answers.duplicates
            for (name, other) in answers.cases { cases[MemberPath(path.type, member: name)] = other }
            firsts[path] = answers.first?.rawValue
            because = answers.because ?? because
        }
    }
}

extension ReviewHints {
    /// These hints without those that a problem is about.
    package func without(_ problems: [HintProblem]) -> ReviewHints {
        var hints = self
        for use in problems.compactMap(\.use) {
            switch use.flag {
            case "--rename": hints.renames[use.path] = nil
            case "--remove": hints.removals.remove(use.path)
            case "--fill": hints.fills[use.path] = nil
            case "--convert": hints.conversions[use.path] = nil
            case "--otherwise": hints.otherwise[use.path] = nil
            case "--duplicates": hints.duplicates[use.path] = nil
            case "--case": hints.cases[use.path] = nil
            case "--first": hints.firsts[use.path] = nil
            default: hints.refetched.remove(use.path.type)
            }
        }
        return hints
    }

    /// These hints, and others, which take precedence.
    package func merging(_ other: ReviewHints) -> ReviewHints {
        var hints = self
        hints.renames.merge(other.renames) { $1 }
        hints.removals.formUnion(other.removals)
        hints.fills.merge(other.fills) { $1 }
        hints.refetched.formUnion(other.refetched)
        hints.conversions.merge(other.conversions) { $1 }
        hints.otherwise.merge(other.otherwise) { $1 }
        hints.duplicates.merge(other.duplicates) { $1 }
        hints.cases.merge(other.cases) { $1 }
        hints.firsts.merge(other.firsts) { $1 }
        hints.because = other.because ?? hints.because
        return hints
    }
}

/// A hint that does not fit the changes.
package struct HintProblem: Error, Hashable, Sendable {
    /// The hint as it is given: `--rename Entry.bdyText=text`.
    package var hint: String
    /// Its flag and path, if it has these.
    var use: HintUse?
    /// A sentence without a full stop.
    package var reason: String

    init(_ hint: String, reason: String, use: HintUse? = nil) {
        self.hint = hint
        self.use = use
        self.reason = reason
    }
}

/// A hint by its flag and its path.
struct HintUse: Hashable, Sendable {
    var flag: String
    var path: MemberPath

    init(_ flag: String, path: MemberPath) {
        self.flag = flag
        self.path = path
    }

    /// Parses the beginning of a hint: `--fill Entry.place`.
    init?(hint: String) {
        let words = hint.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let path = MemberPath(text: words[1].prefix { $0 != "=" }) else { return nil }
        self.init(String(words[0]), path: path)
    }
}
