import Foundation
public import LockstepStore

/// An entity for a remote: its address, and its encoding.
public struct RemoteEntity: Sendable {
    package let plan: EntityPlan

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// The entity's name in the schema.
    public var name: String { plan.name }
    /// The path of the collection: `/product_reviews`.
    public var path: String { plan.remote?.path ?? "" }
    /// The writes that the server accepts.
    public var writes: Set<RemoteDescription.Write> { plan.remote?.writes ?? [] }
    /// The key that a body is wrapped in; `nil` for an unwrapped body.
    public var wrapKey: String? { plan.remote?.wrapKey }
}
