import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepTesting
import Testing
import TestSupport
import workbench

@Suite("Random histories")
struct RandomMigrationTests {
    /// The number of histories: `SEEDS=10000 swift test --filter RandomMigrationTests` tries a thousand.
    private static let seeds = UInt64(Seeds.count(5, of: 100))

    @Test(
        "V1–V7: A file of any version of a random history is migrated with every row and every pending change",
        arguments: 1...seeds)
    func migrates(seed: UInt64) throws {
        let history = try RandomHistory.make(seed: seed, versions: 5)
        let target = try RecordedSchemas(history).schema(at: history.head.number).description
        for version in history.versions {
            do {
                try MigrationCheck(target, from: version.number).run(seed: seed, rowCount: 5)
            } catch {
                Issue.record("history \(seed), from version \(version.number): \(error)")
            }
        }
    }

    @Test(
        "V1–V7: The same with conversions that the app writes, some of which fail",
        arguments: 1...seeds)
    func converts(seed: UInt64) throws {
        var history = try RandomHistory.make(seed: seed, versions: 5)
        try history.convertInSwift(seed: seed)
        var schema = try RecordedSchemas(history).schema(at: history.head.number).description
        schema.conversions = try history.conversions().map(RowConversion.init(trying:))
        for version in history.versions {
            do {
                try MigrationCheck(schema, from: version.number).run(seed: seed, rowCount: 5)
            } catch {
                Issue.record("history \(seed), from version \(version.number): \(error)")
            }
        }
    }
}

extension SchemaHistory {
    /// Lets the app convert half of the attributes that are added or that change.
    fileprivate mutating func convertInSwift(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var tree = base
        for version in versions.indices {
            for index in versions[version].changes.indices {
                let change = versions[version].changes[index]
                try tree.apply(change)
                let entity = try SchemaStructure(tree).entity(change.path.type)
                guard let entity, let attribute = entity.attribute(change.path.member ?? ""),
                    !entity.identity.keyAttributes.contains(attribute.name), attribute.type != .attachment,
                    !attribute.isUnique, Bool.random(using: &random)
                else { continue }
                switch change.action {
                case .add: versions[version].changes[index].answers.convert = "swift"
                case .change(from: _, to: let new) where new["type"] != nil:
                    versions[version].changes[index].answers.convert = "swift"
                default: break
                }
            }
        }
    }
}

extension RowConversion {
    /// Makes texts of all values, and nothing else.
    fileprivate init(trying conversion: RecordedConversion) {
        self.init(conversion.id) { row in
            try conversion.outputs.map { output in
                guard output.shape.attribute.type == .scalar(.string) else {
                    throw ConversionError("\(output.shape.attribute.name) is not a text")
                }
                return String("\(row.storedValues)".prefix(8))
            }
        }
    }
}
