extension AttributeKeys {
    static let mapKind = ValueParser<[AttributeDeclaration]>(
        .map(name: "attribute", of: .section("attribute"))
    ) { node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            var (attribute, isUnreadable) = reading.readingMember { reading in
                read(name, node: value, into: &reading)
                    ?? AttributeDeclaration(name: name, type: TypeText(name: name, isList: false, isOptional: false))
            }
            attribute.isUnreadable = isUnreadable
            return attribute
        }
    }

    private static func read(
        _ name: Located<String>, node: Node, into reading: inout GrammarReading
    ) -> AttributeDeclaration? {
        if case .mapping(let entries) = node.content { return readLong(name, entries: entries, into: &reading) }
        guard !node.isNull else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The attribute '\(name.value.shortened)'", expected: "a type or a mapping",
                    example: "name: string"))
        }
        return TypeText.read(node, key: type.description, into: &reading).map {
            AttributeDeclaration(name: name, type: $0)
        }
    }

    private static func readLong(
        _ name: Located<String>, entries: [Node.Entry], into reading: inout GrammarReading
    ) -> AttributeDeclaration? {
        let fields = Fields(entries, of: .attribute, owner: name, reading: &reading)
        let type = fields.read(type, into: &reading)
        // An unreadable type is reported; other errors of the attribute are still reported too.
        var attribute = AttributeDeclaration(
            name: name, type: type ?? TypeText(name: name, isList: false, isOptional: false))
        if let optional = fields.locate(optional, into: &reading) {
            if !optional.value, attribute.isOptional {
                reading.report(.contradictoryOptional(at: optional.range, type: attribute.typeName))
            }
            attribute.isOptional = attribute.isOptional || optional.value
        }
        attribute.readValues(fields, into: &reading)
        attribute.readPlaces(fields, into: &reading)
        return consume attribute
    }
}

extension AttributeDeclaration {
    fileprivate init(name: Located<String>, type: TypeText) {
        self.name = name
        typeName = type.name
        isList = type.isList
        isOptional = type.isOptional
    }

    /// The values that are allowed.
    fileprivate mutating func readValues(_ fields: Fields, into reading: inout GrammarReading) {
        defaultValue = fields.read(AttributeKeys.defaultValue, into: &reading)
        minimum = fields.locate(AttributeKeys.min, into: &reading)
        maximum = fields.locate(AttributeKeys.max, into: &reading)
        minimumLength = fields.locate(AttributeKeys.minLength, into: &reading)
        maximumLength = fields.locate(AttributeKeys.maxLength, into: &reading)
        isUnique = fields.locate(AttributeKeys.unique, into: &reading)
        isIndexed = fields.locate(AttributeKeys.indexed, into: &reading)
        documentation = fields.read(AttributeKeys.doc, into: &reading)
        deprecation = fields.read(AttributeKeys.deprecated, into: &reading)
    }

    /// Where its values are stored and how they are encoded.
    fileprivate mutating func readPlaces(_ fields: Fields, into reading: inout GrammarReading) {
        key = fields.locate(AttributeKeys.key, into: &reading)
        formerKeys = fields.locate(AttributeKeys.formerKeys, into: &reading)
        wire = fields.locate(AttributeKeys.wire, into: &reading)
        isReadOnly = fields.locate(AttributeKeys.readOnly, into: &reading)
        isTransient = fields.locate(AttributeKeys.transient, into: &reading)
        isAttachment = fields.locate(AttributeKeys.attachment, into: &reading)
        column = fields.locate(AttributeKeys.column, into: &reading)
        renamedFrom = fields.locate(AttributeKeys.renamedFrom, into: &reading)
    }
}
