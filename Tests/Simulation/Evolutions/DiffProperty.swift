package import LockstepEvolution
import LockstepJSON
import TestSupport

/// Something that does not hold, and for which seed.
package struct PropertyFailure: Error, CustomStringConvertible {
    package let seed: UInt64
    package let reason: String

    package var description: String { "seed \(seed): \(reason)" }
}

/// The changes between two structures make one from the other, and nothing is lost when they are written.
package enum DiffProperty {
    /// Compares two unrelated structures, with and without hints, and writes and reads the changes.
    package static func check(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let former = SchemaTree(RandomStructure.make(&random))
        var structure = RandomStructure.make(&random)
        // Often, much is the same.
        if random.isLikely(40) {
            var step = RandomStep(try SchemaStructure(former), random)
            for _ in 0..<random.number(0...6) { step.change(random.element(of: RandomHistory.Kind.allCases)) }
            structure = step.structure
        }
        let new = SchemaTree(structure)
        try replay(former, new, [:], [], seed)
        try replay(new, former, [:], [], seed)
        let renames = hints(former, new, &random)
        let replaced = replacements(former, new, &random)
        try replay(former, new, renames, replaced, seed)
        try replay(former, new, renames, [], seed)
        try replay(former, new, [:], replaced, seed)
    }

    private static func replay(
        _ former: SchemaTree, _ new: SchemaTree, _ renames: [MemberPath: String], _ replaced: Set<MemberPath>,
        _ seed: UInt64
    ) throws {
        let hints = "with renames \(renames) and replaced \(replaced.map(\.description).sorted())"
        do {
            let changes = try SchemaDiff.changes(from: former, to: new, renames: renames, replaced: replaced)
            var tree = former
            for change in changes {
                let text = try change.json.json()
                let read = try SchemaChange(json: JSONValue(json: text), path: [])
                guard read == change else { throw PropertyFailure(seed: seed, reason: "read otherwise: \(text)") }
                try tree.apply(read)
            }
            guard tree == new else { throw PropertyFailure(seed: seed, reason: "another structure \(hints)") }
            if former == new, !changes.isEmpty, replaced.isEmpty, renames.isEmpty {
                throw PropertyFailure(seed: seed, reason: "changes of nothing")
            }
        } catch let error as StructureError {
            throw PropertyFailure(seed: seed, reason: "\(error) \(hints)")
        }
    }

    // MARK: Hints

    /// Renames of things that exist to things that exist, of the same kind.
    private static func hints(
        _ former: SchemaTree, _ new: SchemaTree, _ random: inout SeededRandom
    ) -> [MemberPath: String] {
        var renames: [MemberPath: String] = [:]
        let entities = pairs(former.entities.keys.sorted(), new.entities.keys.sorted(), &random)
        for (old, name) in entities { renames[MemberPath(old)] = name }
        for (old, name) in pairs(former.enumerations.keys.sorted(), new.enumerations.keys.sorted(), &random) {
            renames[MemberPath(old)] = name
        }
        let names = Dictionary(entities) { first, _ in first }
        for (type, entity) in former.entities.sorted(by: { $0.key < $1.key }) {
            // Something else may have its name now.
            let isGone = names[type] == nil && renames.contains { $0.key.member == nil && $0.value == type }
            guard !isGone, let other = new.entities[names[type] ?? type] else { continue }
            for isRelationship in [false, true] {
                let old = entity.members.filter { $1.isRelationship == isRelationship }.keys.sorted()
                let later = other.members.filter { $1.isRelationship == isRelationship }.keys.sorted()
                for (member, name) in pairs(old, later, &random) { renames[MemberPath(type, member: member)] = name }
            }
        }
        return renames
    }

    /// Some of the names with some of the others, each at most once. A name that is not paired keeps its own.
    private static func pairs(
        _ names: [String], _ others: [String], _ random: inout SeededRandom
    ) -> [(String, String)] {
        let (first, second) = (names.shuffled(using: &random), others.shuffled(using: &random))
        let count = min(first.count, second.count)
        return Array(zip(first, second).prefix(random.number(0...count)))
    }

    private static func replacements(
        _ former: SchemaTree, _ new: SchemaTree, _ random: inout SeededRandom
    ) -> Set<MemberPath> {
        var replaced: Set<MemberPath> = []
        for (type, entity) in new.entities.sorted(by: { $0.key < $1.key }) where former.entities[type] != nil {
            if random.isLikely(20) { replaced.insert(MemberPath(type)) }
            for member in entity.members.keys.sorted() where random.isLikely(20) {
                replaced.insert(MemberPath(type, member: member))
            }
        }
        return replaced
    }
}

/// Writing and reading loses nothing, and order has no effect.
package enum FormProperty {
    /// Writes a random structure in each form.
    package static func check(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try check(RandomStructure.make(&random), seed: seed)
    }

    package static func check(_ history: SchemaHistory, seed: UInt64) throws {
        let read = try SchemaHistory(json: JSONValue(json: history.json.json()))
        guard read == history else { throw PropertyFailure(seed: seed, reason: "the history is read otherwise") }
    }

    package static func check(_ structure: SchemaStructure, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let tree = SchemaTree(structure)
        let read = try SchemaStructure(tree)
        guard SchemaTree(read) == tree else { throw PropertyFailure(seed: seed, reason: "the tree is read otherwise") }
        guard try SchemaTree(json: tree.json) == tree else {
            throw PropertyFailure(seed: seed, reason: "the JSON is read otherwise")
        }
        let shuffled = structure.reordered { $0.shuffle(using: &random) }
        guard StructureHash(shuffled) == StructureHash(structure) else {
            throw PropertyFailure(seed: seed, reason: "the hash depends on the order")
        }
        for dialect in SQLDialect.allCases {
            let sorted = sqlStatements(for: structure.sorted, dialect: dialect)
            let statements = sqlStatements(for: read, dialect: dialect)
            guard statements == sorted else {
                let pair = zip(statements, sorted).first { $0 != $1 }.map { "\($0) instead of \($1)" } ?? ""
                throw PropertyFailure(seed: seed, reason: "the tree has other statements: \(pair)")
            }
        }
    }
}

/// A list of members, whatever they are.
private protocol Reorderable {
    mutating func shuffle(using random: inout SeededRandom)
}

extension Array: Reorderable {
    fileprivate mutating func shuffle(using random: inout SeededRandom) { self = shuffled(using: &random) }
}

extension SchemaStructure {
    fileprivate func reordered(_ reorder: (inout any Reorderable) -> Void) -> SchemaStructure {
        func changed<Element>(_ list: [Element]) -> [Element] {
            var list: any Reorderable = list
            reorder(&list)
            return list as? [Element] ?? []
        }
        var structure = self
        structure.enumerations = changed(enumerations)
        structure.entities = changed(entities)
        for index in structure.enumerations.indices {
            structure.enumerations[index].cases = changed(structure.enumerations[index].cases)
        }
        for index in structure.entities.indices {
            structure.entities[index].attributes = changed(structure.entities[index].attributes)
            structure.entities[index].relationships = changed(structure.entities[index].relationships)
            structure.entities[index].indexes = changed(structure.entities[index].indexes)
        }
        return structure
    }

    /// All members in the order of their names.
    fileprivate var sorted: SchemaStructure {
        var structure = self
        structure.enumerations.sort { $0.name < $1.name }
        structure.entities.sort { $0.name < $1.name }
        for index in structure.enumerations.indices { structure.enumerations[index].cases.sort { $0.name < $1.name } }
        for index in structure.entities.indices {
            structure.entities[index].attributes.sort { $0.name < $1.name }
            structure.entities[index].relationships.sort { $0.name < $1.name }
            structure.entities[index].indexes.sort { $0.name < $1.name }
        }
        return structure
    }
}
