extension Store {
    /// What another module keeps with the store, one value of a type.
    package func attached<Value: Sendable>(_ type: Value.Type) -> Value? {
        base.attachments.withLock { $0[ObjectIdentifier(type)] as? Value }
    }

    /// Changes what another module keeps with the store. No two calls run at once.
    package func attach<Value: Sendable>(_ type: Value.Type, _ change: (inout Value?) -> Void) {
        base.attachments.withLock { attachments in
            var value = attachments[ObjectIdentifier(type)] as? Value
            change(&value)
            attachments[ObjectIdentifier(type)] = value
        }
    }
}
