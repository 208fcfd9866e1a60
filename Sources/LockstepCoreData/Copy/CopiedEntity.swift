import GRDB
import LockstepStore

/// An entity of the map whose rows are in the file and become records of the schema.
struct CopiedEntity {
    /// Where the value of a column comes from.
    enum Source {
        /// A column of the file, by its index.
        case attribute(Int, AttributeReader)
        /// Columns of the file, for the parts of a composite attribute.
        case composite([Int], AttributeReader)
        /// A new identity.
        case newIdentity
        /// The default of the schema, or no value.
        case initial
    }

    /// The name in the model, and the number in the file.
    let name: String
    let number: Int64
    /// The table of the file, and its columns.
    let table: String
    let columns: [String]
    let plan: EntityPlan
    /// The names of the model's properties, with the indices of their columns.
    let properties: [String: Int]
    /// By the columns of the plan.
    let sources: [Source]
    let links: [CopiedLink]

    /// A row as in Core Data's URIs.
    func text(of row: Int64) -> String { "\(name)/p\(row)" }

    /// The key of the record that a row becomes; `nil` if a part of it is missing or does not fit.
    func key(of row: RawRow, number: Int64, identities: LocalIdentity, attachments: CopiedAttachments)
        -> RecordKey?
    {
        var values: [DatabaseValue] = []
        for column in plan.keyColumns {
            let value: DatabaseValue? =
                switch sources[column] {
                case .attribute(let index, let reader): try? reader.stored(row.value(index), attachments: attachments)
                case .newIdentity: identities.stored(plan.columns[column], in: table, row: number)
                case .initial, .composite: nil
                }
            guard let value else { return nil }
            values.append(value)
        }
        return RecordKey(values)
    }
}

/// A to-one relationship of an entity.
struct CopiedLink {
    /// A relationship of the schema.
    struct Target {
        /// The columns with the key, and that with the position in the other end; empty if the other end has the key.
        let columns: [Int]
        let position: Int?
        let isRequired: Bool
    }

    /// The name in the model.
    let name: String
    /// The index of the column with the row of the destination.
    let column: Int
    /// The table of the destinations.
    let table: String
    /// The column with the order of the other end; `nil` if that is not ordered in the file.
    let order: String?
    /// By the number of the destination's entity.
    let targets: [Int64: Target]

    /// Whether the schema has a position for any destination.
    var isPlaced: Bool { targets.values.contains { $0.position != nil } }
}
