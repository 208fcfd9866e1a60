import LockstepEvolution

/// The values of columns of new records that a device does not send.
struct DefaultExpressions {
    private let lookup: SchemaLookup

    init(_ lookup: SchemaLookup) {
        self.lookup = lookup
    }

    func expression(of attribute: AttributeStructure) -> Code {
        switch attribute.defaultValue {
        case nil: return "NULL"
        case .now: return "now()"
        case .newUUID: return "gen_random_uuid()"
        case .string(let text), .url(let text): return "\(quoted: text)"
        case let value?:
            guard let literal = lookup.postgresqlLiteral(value, as: attribute.type) else { return "NULL" }
            return Code(linesInLiteral: literal)
        }
    }
}
