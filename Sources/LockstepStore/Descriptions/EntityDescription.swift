public import GRDB
package import LockstepEvolution

/// An entity of a schema.
public struct EntityDescription: Sendable {
    package let plan: EntityPlan

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// Describes an entity by hand.
    ///
    /// - Parameters:
    ///   - name: The entity's name in the schema.
    ///   - table: The table's name in SQL, unquoted.
    ///   - identity: Which columns are the key.
    ///   - version: The index in `columns` of the column that the server changes with each write, and that local writes
    ///     send back; `nil` if there is none.
    ///   - columns: The columns in the order of the table, which is the order of every row that is read.
    ///   - relationships: The relationships. Generated code refers to them by their index.
    ///   - remote: How the entity is reached on a server; `nil` if it is local only.
    package init(
        name: String, table: String, identity: IdentityDescription, version: Int? = nil,
        columns: [ColumnDescription], relationships: [RelationshipDescription] = [], remote: RemoteDescription? = nil
    ) {
        plan = EntityPlan(
            name: name, table: table, identity: identity, version: version, columns: columns,
            relationships: relationships, remote: remote)
    }

    /// The entity's name in the schema.
    public var name: String { plan.name }
    /// The table's name in SQL, unquoted.
    public var table: String { plan.table }
    package var identity: IdentityDescription { plan.identity }
    package var columns: [ColumnDescription] { plan.columns }
    package var relationships: [RelationshipDescription] { plan.relationships }
    package var remote: RemoteDescription? { plan.remote }
}

/// A type whose instances are records of one entity, as used by descriptions. Every model conforms to it.
public protocol EntityType: AnyObject, GRDBSendableMetatype {
    /// The description of the entity.
    static var entity: EntityDescription { get }
}

/// Which columns of a table are the key, by their indexes.
package enum IdentityDescription: Sendable, Hashable {
    /// No attribute identifies records; column 0 is the surrogate key `lockstep_id`.
    case none
    /// These columns together, in the order of the key.
    case columns([Int])
    /// The first is the key, created on the device; the second is the server's, unique and optional.
    case local(Int, remote: Int)
}

/// How an entity is reached on a server.
package typealias RemoteDescription = RemoteStructure
