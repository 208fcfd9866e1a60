import LockstepEvolution
import LockstepTables

/// Why a server has rejected a change, as its response says: ``Sync/problem(of:)``.
///
/// ```swift
/// for change in try await store.outbox.pending() {
///     guard let problem = sync.problem(of: change) else { continue }
///     show(problem.message ?? "", under: problem.attributes)  // ["title": ["can't be blank"]]
/// }
/// ```
///
/// The texts are the server's, and may contain values of the record.
public struct ServerProblem: Sendable, Hashable {
    /// The problem of the record as a whole; `nil` if the response describes only those of single members.
    public var message: String?
    /// The server's code for this kind of problem: the `type` of problem+json, the `code` of others.
    public var code: String?
    /// The problems of single members, in the order of the response, or of their names.
    public var members: [Member]

    /// The problem of a member of the record.
    public struct Member: Sendable, Hashable {
        /// The keys of the member in the record's JSON, as the server names them.
        public var path: [String]
        /// The attribute or relationship of the schema; `nil` if none has this key.
        public var attribute: String?
        public var messages: [String]

        public init(path: [String], attribute: String? = nil, messages: [String]) {
            self.path = path
            self.attribute = attribute
            self.messages = messages
        }
    }

    public init(message: String? = nil, code: String? = nil, members: [Member] = []) {
        self.message = message
        self.code = code
        self.members = members
    }

    /// The messages about attributes and relationships of the schema, by their names.
    public var attributes: [String: [String]] {
        members.reduce(into: [:]) { attributes, member in
            if let attribute = member.attribute { attributes[attribute, default: []] += member.messages }
        }
    }
}

extension ServerProblem: CustomStringConvertible {
    /// Everything in one line: `Validation failed; title: can't be blank`.
    @_spi(Requirements) public var description: String {
        let members = members.map { member in
            let name = member.attribute ?? member.path.joined(separator: ".")
            return "\(name): \(member.messages.joined(separator: ", "))"
        }
        return ([message].compactMap(\.self) + members).joined(separator: "; ")
    }
}

extension ServerProblem {
    /// The problem with the names of the schema for members that it has.
    package func naming(_ plan: EntityPlan) -> ServerProblem {
        var problem = self
        for index in problem.members.indices where problem.members[index].attribute == nil {
            problem.members[index].attribute = plan.member(at: problem.members[index].path)
        }
        return problem
    }
}

extension EntityPlan {
    /// The attribute or the relationship that has these keys in JSON, or this name; `nil` if there is none.
    fileprivate func member(at path: [String]) -> String? {
        func isNamed(_ name: String, paths: [[String]]) -> Bool {
            (paths + [[name]]).contains { $0.map(\.withoutStyle) == path.map(\.withoutStyle) }
        }
        for column in columns {
            if case .attribute(let name) = column.content, let wire = column.wire, isNamed(name, paths: [wire.path]) {
                return name
            }
        }
        return relationships.first { relationship in
            let wire = relationship.wire
            let own: [[String]] = if case .id(let paths, _) = wire { paths } else { [] }
            return isNamed(relationship.name, paths: own + [wire.ownPath, wire.otherPath].compactMap(\.self))
        }?.name
    }
}
