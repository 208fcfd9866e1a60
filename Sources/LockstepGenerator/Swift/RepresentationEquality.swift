import LockstepSchema

/// How representations are compared and hashed. The runtime has the `==` that calls this: one for each representation
/// would be an overload that the compiler tries for each `==` of the app.
enum RepresentationEquality {
    static func comparison(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let name = shape.entity.representationName
        let calls = shape.fields.map { field -> Code in
            let property = shape.representationStorage(of: field)
            return "comparison.\(field.comparison(in: shape))(\(property.qualified), other.\(property))"
        }
        let body: Code =
            calls.isEmpty
            ? "true"
            : """
            var comparison = \(scope.runtime("ValueComparison"))()
            \(Code.lines(calls))
            return comparison.isEqual
            """
        return """
            \(scope.access)func isEqual(to other: \(name)) -> \(scope.standard("Bool")) {
                \(body)
            }
            """
    }

    /// Equal representations have equal identities. Those that may have none are hashed with all values, as the
    /// compiler does it: with the same hash, many of them would make a set slow.
    static func hash(_ shape: EntityShape) -> Code {
        let scope = shape.scope
        let keys = shape.keyAttributes
        guard scope.remoteAttribute(of: shape.entity) == nil, !keys.isEmpty, keys.allSatisfy({ $0.wire != nil })
        else { return Code() }
        return """
            \(scope.access)func hash(into hasher: inout \(scope.standard("Hasher"))) {
                \(Code.lines(keys.map { "hasher.combine(\(shape.representationStorage(of: $0).qualified))" }))
            }
            """
    }
}
