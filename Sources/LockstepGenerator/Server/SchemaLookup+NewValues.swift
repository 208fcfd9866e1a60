import LockstepEvolution

extension SchemaLookup {
    /// The value of a new record that a device does not send; `nil` for none.
    func newValue(of attribute: AttributeStructure) -> Code? {
        switch attribute.defaultValue {
        case nil: nil
        case .now: "now()"
        case .newUUID: "gen_random_uuid()"
        case .string(let text), .url(let text): "\(quoted: text)"
        case let value?: postgresqlLiteral(value, as: attribute.type).map { Code(linesInLiteral: $0) }
        }
    }
}
