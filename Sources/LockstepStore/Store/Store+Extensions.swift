import LockstepSystem

extension Store {
    /// A value that another module stores with the store, one for each type.
    package func storeExtension<Value: Sendable>(_ type: Value.Type) -> Value? {
        base.extensions.withLock { $0[ObjectIdentifier(type)] as? Value }
    }

    /// The value that another module stores with the store, made when it is first needed.
    package func storeExtension<Value: Sendable>(making make: () -> Value) -> Value {
        base.extensions.withLock { extensions in
            if let known = extensions[ObjectIdentifier(Value.self)] as? Value { return known }
            let made = make()
            extensions[ObjectIdentifier(Value.self)] = made
            return made
        }
    }

    /// Changes a value that another module stores with the store. Calls are serialized.
    package func updateExtension<Value: Sendable>(_ type: Value.Type, change: (inout Value?) -> Void) {
        base.extensions.withLock { extensions in
            var value = extensions[ObjectIdentifier(type)] as? Value
            change(&value)
            extensions[ObjectIdentifier(type)] = value
        }
    }
}
