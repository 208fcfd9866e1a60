public import Foundation

/// The result of ``CoreDataRows/copy(into:progress:)``.
public struct CoreDataCopy: Sendable, Hashable, Codable {
    /// The copied rows and those kept aside, by the name of the entity in the model.
    public internal(set) var entities: [String: Count] = [:]
    /// The number of copied links that are rows of join tables.
    public internal(set) var joinedLinks = 0
    /// The rows, values and links that were not copied unchanged: why, and how often.
    public internal(set) var problems: [Problem] = []
    /// The parts that are not copied because of the map: entities that it does not name, and composite attributes.
    public internal(set) var findings: [String] = []
    /// When the rows were copied.
    public internal(set) var date = Date(timeIntervalSince1970: 0)
    /// Whether the rows were copied earlier. If so, this is the result of that copy, and nothing was done.
    public internal(set) var isRepeated = false

    /// The numbers of rows of an entity.
    public struct Count: Sendable, Hashable, Codable {
        /// Rows that became records.
        public internal(set) var copied = 0
        /// Rows that did not become records. They are in `store.leftovers()`.
        public internal(set) var keptAside = 0
    }

    /// Something that was not copied unchanged.
    public struct Problem: Sendable, Hashable, Codable {
        /// The kinds of leftovers.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// Rows that did not become records.
            case row
            /// Values that are `nil` in their records.
            case value
            /// Links without a destination.
            case link
        }

        /// Whether it is a row, a value or a link.
        public let kind: Kind
        /// The name of the entity in the model.
        public let entity: String
        /// The name of the attribute or relationship; `nil` if it concerns the whole row.
        public let member: String?
        /// The reason.
        public let reason: String
        /// The first row, as in Core Data's URIs: `Entry/p12`.
        public let firstRow: String
        /// How often it occurred.
        public internal(set) var count = 0
    }

    /// The number of copied rows.
    public var copied: Int { entities.values.reduce(0) { $0 + $1.copied } }

    /// The number of rows that were kept aside.
    package var keptAside: Int { entities.values.reduce(0) { $0 + $1.keptAside } }

    /// The number of links without a destination.
    package var linksWithoutDestination: Int { count(.link) }

    /// Whether every row, value and link was copied.
    public var isComplete: Bool { problems.isEmpty && findings.isEmpty }

    private func count(_ kind: Problem.Kind) -> Int {
        problems.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) }
    }
}

extension CoreDataCopy: CustomStringConvertible {
    @_spi(Requirements) public var description: String {
        let counts = entities.sorted { $0.key < $1.key }.map { name, count in
            "\(name): \(count.copied) copied" + (count.keptAside > 0 ? ", \(count.keptAside) kept aside" : "")
        }
        let problems = problems.map { problem in
            let subject = [problem.entity, problem.member].compactMap(\.self).joined(separator: ".")
            let location = problem.count == 1 ? "in" : "\(problem.count) times, first in"
            return "\(subject): \(problem.reason), \(location) \(problem.firstRow)"
        }
        let repeated = isRepeated ? ["Copied before; nothing was done."] : []
        return (repeated + counts + problems + findings).joined(separator: "\n")
    }
}
