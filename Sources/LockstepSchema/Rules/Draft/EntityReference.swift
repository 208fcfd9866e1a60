/// The target of an entity's name in a relationship.
///
/// An unknown name that is clearly a misspelling is read as the entity that it means, so that the mistakes that follow
/// from it are not reported, and those that do not are reported in the same run.
struct EntityReference {
    /// `nil` if there is no such entity, and none that is meant.
    var entity: DraftEntity?
    /// Whether the name is that of an entity, or will be: `Entry` if the entity is called `entry`, which is reported
    /// there.
    var isKnown = false
}

extension Draft {
    func reference(to name: String) -> EntityReference {
        if let entity = entitiesByName[name] ?? entitiesByCorrectedName[name] {
            return EntityReference(entity: entity, isKnown: true)
        }
        if types.type(named: name) != nil { return EntityReference() }
        let meant = nearest(to: name, among: entities.lazy.map(\.name))
        return EntityReference(entity: meant.flatMap { entitiesByName[$0] })
    }
}
