import Foundation
public import LockstepStore

/// An entity as a remote sees it: how it is reached, and how it is spelt.
public struct RemoteEntity: Sendable {
    package let plan: EntityPlan

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// The entity's name in the schema.
    public var name: String { plan.name }
    /// The path of the collection: `/product_reviews`.
    public var path: String { plan.remote?.path ?? "" }
    /// What the server takes.
    public var writes: Set<RemoteDescription.Write> { plan.remote?.writes ?? [] }
    /// The key that a body is wrapped in; `nil` for a bare body.
    public var wrapKey: String? { plan.remote?.wrapKey }
}
