import LockstepJSON

extension SchemaSketch {
    /// Gives defaults that are raw values of an enum the names of their cases, which the language requires.
    mutating func nameEnumDefaults() {
        var names: [String: [JSONValue: String]] = [:]
        for enumeration in enums {
            for (name, value) in enumeration.cases {
                names[enumeration.name, default: [:]][value] = name
                // A sketch has the defaults of enums as texts.
                if case .integer(let number) = value {
                    names[enumeration.name, default: [:]][.string(String(number))] = name
                }
            }
        }
        for entity in entities.indices {
            for index in entities[entity].attributes.indices {
                let attribute = entities[entity].attributes[index]
                guard let cases = names[attribute.type.name], let value = attribute.defaultValue else { continue }
                if let name = cases[value] { entities[entity].attributes[index].defaultValue = .string(name) }
                if case .array(let values) = value {
                    let names = values.map { value in cases[value].map(JSONValue.string) ?? value }
                    entities[entity].attributes[index].defaultValue = .array(names)
                }
            }
        }
    }
}
