public import GRDB
package import LockstepEvolution

/// An entity of a schema.
public struct EntityDescription: Sendable {
    package let plan: EntityPlan

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// The entity's name in the schema.
    public var name: String { plan.name }
    /// The table's name in SQL, unquoted.
    public var table: String { plan.table }
    package var columns: [ColumnDescription] { plan.columns }
    package var relationships: [RelationshipDescription] { plan.relationships }
    package var remote: RemoteStructure? { plan.remote }
}

/// A type whose instances are records of one entity, as used by descriptions. Every model conforms to it.
public protocol EntityType: AnyObject, GRDBSendableMetatype {
    /// The description of the entity.
    static var entity: EntityDescription { get }
}
