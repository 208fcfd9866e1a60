import LockstepEvolution
import LockstepJSON
import TestSupport

extension RandomStep {
    /// An attribute whose values may change: not of the identity, and not unique, so that no two become equal.
    private mutating func changeable(
        where isSuitable: (AttributeStructure) -> Bool = { _ in true }
    ) -> (path: MemberPath, attribute: AttributeStructure)? {
        attribute { !$0.fixedAttributes.contains($1.name) && !$1.isUnique && isSuitable($1) }
    }

    // MARK: Types

    private static let wider: [ScalarType: [ScalarType]] = [
        .int16: [.int32, .int, .int64], .int32: [.int, .int64], .int: [.int64, .double, .decimal], .int64: [.int],
        .float: [.double], .bool: [.int], .day: [.string], .uuid: [.string], .url: [.string], .decimal: [.string],
    ]

    private static let others: [ScalarType: [ScalarType]] = [
        .string: [.int, .decimal, .double, .int16, .uuid, .url, .date, .day, .bool, .json],
        .double: [.int, .decimal, .float, .string],
        .int: [.string, .bool, .date, .int16], .decimal: [.double, .int], .date: [.string, .double, .day],
        .float: [.string, .int], .day: [.date],
        .bool: [.string], .json: [.string], .data: [.string], .int64: [.int32],
    ]

    /// Every value is one of the wider type. It is the only change of an identity.
    mutating func widen() {
        if random.isLikely(20) { return widenElements() }
        let keys: [ScalarType] = [.int16, .int32, .int, .int64]
        guard
            let (path, former) = attribute(where: { entity, attribute in
                guard case .scalar(let scalar) = attribute.type, Self.wider[scalar] != nil else { return false }
                return !entity.fixedAttributes.contains(attribute.name) && !attribute.isUnique || keys.contains(scalar)
            }), case var attribute = former, case .scalar(let scalar) = attribute.type
        else { return }
        let isFixed = structure[entity: path.type].fixedAttributes.contains(attribute.name) || attribute.isUnique
        let targets = (Self.wider[scalar] ?? []).filter { !isFixed || keys.contains($0) }
        guard let target = random.pick(targets) else { return }
        attribute.type = .scalar(target)
        let isNumber = keys.contains(scalar) && keys.contains(target)
        if !isNumber || attribute.defaultValue != nil && random.isLikely(50) {
            attribute.defaultValue = nil
            attribute.limits = isNumber ? attribute.limits : AttributeLimits()
        }
        if attribute.wire?.format == "text" { attribute.wire?.format = nil }
        put(attribute, at: path)
    }

    private mutating func widenElements() {
        guard
            let (path, former) = changeable(where: { if case .list(.scalar) = $0.type { true } else { false } }),
            case var attribute = former, case .list(.scalar(let scalar)) = attribute.type,
            let target = random.pick((Self.wider[scalar] ?? []).filter { scalar != .decimal && $0 != .int })
        else { return }
        attribute.type = .list(.scalar(target))
        attribute.defaultValue = nil
        put(attribute, at: path)
    }

    /// Values that cannot be converted become another one.
    mutating func convert() {
        guard
            let (path, former) = changeable(where: { attribute in
                switch attribute.type {
                case .scalar: true
                case .enumeration, .attachment: true
                case .list: false
                }
            }), case var attribute = former
        else { return }
        let formerEnumeration = attribute.type.enumerationName
        switch attribute.type {
        case .scalar(.string) where random.isLikely(25) && !structure.enumerations.isEmpty:
            let free = structure.enumerations.filter { !touched.contains(MemberPath($0.name)) }
            guard let enumeration = random.pick(free) else { return }
            attribute.type = .enumeration(enumeration.name)
        case .scalar(let scalar):
            guard let target = random.pick(Self.others[scalar] ?? []) else { return }
            attribute.type = random.isLikely(10) ? .list(.scalar(scalar)) : .scalar(target)
        default: attribute.type = .scalar(.string)
        }
        if let formerEnumeration { touched.insert(MemberPath(formerEnumeration)) }
        convert(attribute, at: path)
    }

    private mutating func convert(_ attribute: AttributeStructure, at path: MemberPath) {
        var attribute = attribute
        attribute.defaultValue = nil
        attribute.limits = random.isLikely(30) ? RandomAttribute.limits(of: attribute.type, &random) : AttributeLimits()
        if attribute.wire != nil { attribute.wire = RandomAttribute.wire(of: attribute, &random) }
        let value = value(of: attribute)
        var answers = ChangeAnswers(convert: attribute.type == .scalar(.string) ? "text" : "number", otherwise: value)
        if attribute.isOptional, random.isLikely(30) { answers.otherwise = random.isLikely(50) ? .null : nil }
        if attribute.isOptional, value != nil, random.isLikely(20) {
            attribute.isOptional = false
            answers.otherwise = value
            answers.fill = random.isLikely(50) ? self.value(of: attribute) : nil
        }
        put(attribute, at: path, answers)
    }

    // MARK: Optionality

    mutating func require() {
        guard let (path, former) = changeable(where: \.isOptional), case var attribute = former,
            let fill = value(of: attribute)
        else { return }
        attribute.isOptional = false
        put(attribute, at: path, ChangeAnswers(fill: fill))
    }

    mutating func relax() {
        guard let (path, former) = attribute(where: { !$1.isOptional && !$0.fixedAttributes.contains($1.name) }),
            case var attribute = former
        else { return }
        attribute.isOptional = true
        put(attribute, at: path)
    }

    // MARK: Limits

    mutating func tighten() {
        guard let (path, former) = changeable(), case var attribute = former else { return }
        attribute.limits = RandomAttribute.limits(of: attribute.type, &random)
        guard !attribute.limits.isEmpty, let otherwise = value(of: attribute) else { return }
        if attribute.defaultValue != nil {
            attribute.defaultValue = RandomAttribute.value(of: attribute.type, attribute.limits, in: structure, &random)
        }
        let isNull = attribute.isOptional && random.isLikely(30)
        put(attribute, at: path, ChangeAnswers(otherwise: isNull ? .null : otherwise))
    }

    mutating func loosen() {
        guard let (path, former) = attribute(where: { !$1.limits.isEmpty && !$0.fixedAttributes.contains($1.name) }),
            case var attribute = former
        else {
            return
        }
        if random.isLikely(50) { attribute.limits.minimum = nil }
        if random.isLikely(50) { attribute.limits.maximumLength = nil }
        if random.isLikely(30) { attribute.limits = AttributeLimits() }
        put(attribute, at: path)
    }

    // MARK: Enums

    /// An enum of which nothing in this step has changed.
    private mutating func enumeration() -> EnumerationStructure? {
        guard let enumeration = random.pick(structure.enumerations) else { return nil }
        let path = MemberPath(enumeration.name)
        let users = structure.users(ofEnumeration: enumeration.name)
        guard isOld(path), !touched.contains(path), !users.contains(where: touched.contains) else { return nil }
        return enumeration
    }

    private mutating func put(_ enumeration: EnumerationStructure, _ answers: ChangeAnswers = ChangeAnswers()) {
        structure[enumeration: enumeration.name] = enumeration
        let path = MemberPath(enumeration.name)
        touched.insert(path)
        touched.formUnion(structure.users(ofEnumeration: enumeration.name))
        self.answers[path] = answers
    }

    mutating func addCase() {
        guard var enumeration = enumeration() else { return }
        RandomAttribute.addCase(to: &enumeration, &random)
        put(enumeration)
    }

    mutating func removeCase() {
        guard var enumeration = enumeration(), enumeration.cases.count > 1 else { return }
        // A unique attribute would have the other case twice.
        let users = structure.users(ofEnumeration: enumeration.name)
        let isUnique = users.contains { structure[entity: $0.type][attribute: $0.member ?? ""].isUnique }
        guard !isUnique else { return }
        let removed = enumeration.cases.remove(at: random.number(0...enumeration.cases.count - 1))
        let kept = random.element(of: enumeration.cases)
        for path in users { replaceDefault(of: path, removed.name, by: kept.name) }
        var answers = ChangeAnswers()
        if enumeration.isClosed { answers.cases = [removed.name: kept.name] }
        put(enumeration, answers)
    }

    private mutating func replaceDefault(of path: MemberPath, _ name: String, by other: String) {
        func replaced(_ value: DefaultValue) -> DefaultValue {
            switch value {
            case .enumerationCase(name): .enumerationCase(other)
            case .list(let elements): .list(elements.map(replaced))
            default: value
            }
        }
        var attribute = structure[entity: path.type][attribute: path.member ?? ""]
        attribute.defaultValue = attribute.defaultValue.map(replaced)
        structure[entity: path.type][attribute: attribute.name] = attribute
    }

    mutating func openOrClose() {
        guard var enumeration = enumeration() else { return }
        let users = structure.users(ofEnumeration: enumeration.name)
        let isUnique = users.contains { structure[entity: $0.type][attribute: $0.member ?? ""].isUnique }
        guard !isUnique || enumeration.isClosed else { return }
        enumeration.isClosed.toggle()
        let otherwise = enumeration.isClosed ? random.pick(enumeration.cases).map { JSONValue.string($0.name) } : nil
        put(enumeration, ChangeAnswers(otherwise: otherwise))
    }

    mutating func renameEnumeration() {
        guard let enumeration = random.pick(structure.enumerations) else { return }
        let name = RandomNames.type(in: structure, &random)
        structure[enumeration: enumeration.name].name = name
        for index in structure.entities.indices {
            for position in structure.entities[index].attributes.indices {
                let type = structure.entities[index].attributes[position].type
                structure.entities[index].attributes[position].type = type.renamed(enumeration.name, to: name)
            }
        }
        move([MemberPath(enumeration.name): MemberPath(name)])
    }

    mutating func removeEnumeration() {
        let unused = structure.enumerations.filter { structure.users(ofEnumeration: $0.name).isEmpty }
        guard let enumeration = random.pick(unused) else { return }
        structure.enumerations.removeAll { $0.name == enumeration.name }
        forget(MemberPath(enumeration.name))
    }
}

extension ValueType {
    fileprivate func renamed(_ name: String, to new: String) -> ValueType {
        switch self {
        case .enumeration(name): .enumeration(new)
        case .list(let element): .list(element.renamed(name, to: new))
        default: self
        }
    }
}
