/// The raw values of an enum's cases, specified or counted. `nil` if a case has no value of the enum's type.
struct RawValues {
    private(set) var values: [CaseValue?] = []

    init(_ enumeration: EnumerationDeclaration) {
        var next: Int64? = 0
        for enumerationCase in enumeration.cases {
            let given = enumerationCase.rawValue?.value
            if enumeration.isInteger {
                let value = given.flatMap { if case .int(let number) = $0 { number } else { nil } }
                let number = given == nil ? next : value
                values.append(number.map(CaseValue.int))
                // The greatest integer has no successor.
                next = number.flatMap { $0 == .max ? nil : $0 + 1 }
            } else {
                switch given {
                case nil: values.append(.string(enumerationCase.name.value))
                case .string(let text): values.append(.string(text))
                case .int: values.append(nil)
                }
            }
        }
    }
}
