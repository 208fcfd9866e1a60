extension AttributeKeys {
    static let mapKind = ValueParser<[AttributeDeclaration]>(
        .map(name: "attribute", of: .section("attribute"))
    ) { node, key, reading in
        reading.readMap(node, under: key) { name, value, reading in
            var (attribute, isUnreadable) = reading.readingMember { reading in
                read(name, value, &reading)
                    ?? AttributeDeclaration(name: name, type: TypeText(name: name, isList: false, isOptional: false))
            }
            attribute.isUnreadable = isUnreadable
            return attribute
        }
    }

    private static func read(
        _ name: Located<String>, _ node: Node, _ reading: inout GrammarReading
    ) -> AttributeDeclaration? {
        if case .mapping(let entries) = node.content { return readLong(name, entries, &reading) }
        guard !node.isNull else {
            return reading.fail(
                .wrongKind(
                    node, subject: "The attribute '\(name.value.shortened)'", expected: "a type or a mapping",
                    example: "name: string"))
        }
        return TypeText.read(node, type.description, &reading).map { AttributeDeclaration(name: name, type: $0) }
    }

    private static func readLong(
        _ name: Located<String>, _ entries: [Node.Entry], _ reading: inout GrammarReading
    ) -> AttributeDeclaration? {
        let fields = Fields(entries, of: .attribute, owner: name, &reading)
        let type = fields.read(type, &reading)
        // An unreadable type is reported; other errors of the attribute are still reported too.
        var attribute = AttributeDeclaration(
            name: name, type: type ?? TypeText(name: name, isList: false, isOptional: false))
        if let optional = fields.locate(optional, &reading) {
            if !optional.value, attribute.isOptional {
                reading.report(.contradictoryOptional(at: optional.range, type: attribute.typeName))
            }
            attribute.isOptional = attribute.isOptional || optional.value
        }
        attribute.readValues(fields, &reading)
        attribute.readPlaces(fields, &reading)
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
    fileprivate mutating func readValues(_ fields: Fields, _ reading: inout GrammarReading) {
        defaultValue = fields.read(AttributeKeys.defaultValue, &reading)
        minimum = fields.locate(AttributeKeys.min, &reading)
        maximum = fields.locate(AttributeKeys.max, &reading)
        minimumLength = fields.locate(AttributeKeys.minLength, &reading)
        maximumLength = fields.locate(AttributeKeys.maxLength, &reading)
        isUnique = fields.locate(AttributeKeys.unique, &reading)
        isIndexed = fields.locate(AttributeKeys.indexed, &reading)
        documentation = fields.read(AttributeKeys.doc, &reading)
        deprecation = fields.read(AttributeKeys.deprecated, &reading)
    }

    /// Where its values are stored and how they are encoded.
    fileprivate mutating func readPlaces(_ fields: Fields, _ reading: inout GrammarReading) {
        key = fields.locate(AttributeKeys.key, &reading)
        formerKeys = fields.locate(AttributeKeys.formerKeys, &reading)
        wire = fields.locate(AttributeKeys.wire, &reading)
        isReadOnly = fields.locate(AttributeKeys.readOnly, &reading)
        isTransient = fields.locate(AttributeKeys.transient, &reading)
        isAttachment = fields.locate(AttributeKeys.attachment, &reading)
        column = fields.locate(AttributeKeys.column, &reading)
        renamedFrom = fields.locate(AttributeKeys.renamedFrom, &reading)
    }
}
