import LockstepSystem

extension Store {
    /// What another module keeps with the store, one value of a type.
    package func storeExtension<Value: Sendable>(_ type: Value.Type) -> Value? {
        base.extensions.withLock { $0[ObjectIdentifier(type)] as? Value }
    }

    /// Changes what another module keeps with the store. No two calls run at once.
    package func updateExtension<Value: Sendable>(_ type: Value.Type, _ change: (inout Value?) -> Void) {
        base.extensions.withLock { extensions in
            var value = extensions[ObjectIdentifier(type)] as? Value
            change(&value)
            extensions[ObjectIdentifier(type)] = value
        }
    }
}
