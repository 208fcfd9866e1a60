extension Context {
    /// Runs `body` while `owner` counts as being made a value.
    ///
    /// - Parameter body: Gets a function that tells whether a record is being made a value, here or further up.
    func representing<Value>(_ owner: ManagedObject, _ body: ((ManagedObject) -> Bool) -> Value) -> Value {
        let isOutermost = beingRepresented.insert(ObjectIdentifier(owner)).inserted
        defer { if isOutermost { beingRepresented.remove(ObjectIdentifier(owner)) } }
        return body { beingRepresented.contains(ObjectIdentifier($0)) }
    }
}
