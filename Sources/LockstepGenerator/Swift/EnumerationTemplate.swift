import LockstepSchema

/// `Mood.swift`: an enum, which is open (it preserves unknown values) or closed.
enum EnumerationTemplate {
    static func file(for enumeration: Enumeration, in scope: SwiftScope) -> SwiftFile {
        let body: Code = """
            \(Code.documentation(enumeration.documentation, indentation: 0))
            \(enumeration.isClosed ? closed(enumeration, in: scope) : open(enumeration, in: scope))
            """
        return SwiftFile(modules: Imports.modules(for: [], in: scope), body: body, onlyConforms: true)
    }

    private static func open(_ enumeration: Enumeration, in scope: SwiftScope) -> Code {
        let raw = rawType(enumeration, in: scope)
        let access = scope.access
        return """
            \(scope.typeAccess)enum \(enumeration.swiftName): \(scope.runtime("OpenEnum")) {
                \(cases(enumeration, withRawValues: false))
                /// A value that this version does not know, unchanged.
                case unknown(\(raw))

                /// The values that this version knows.
                \(allCases(enumeration, access: access))

                \(access)init(rawValue: \(raw)) {
                    switch rawValue {
                    \(Code.lines(enumeration.cases.map { "case \(literal($0.rawValue)): self = .\($0.swiftName)" }))
                    default: self = .unknown(rawValue)
                    }
                }

                \(access)var rawValue: \(raw) {
                    switch self {
                    \(Code.lines(enumeration.cases.map { "case .\($0.swiftName): \(literal($0.rawValue))" }))
                    case .unknown(let rawValue): rawValue
                    }
                }
            }
            """
    }

    private static func closed(_ enumeration: Enumeration, in scope: SwiftScope) -> Code {
        """
        \(scope.typeAccess)enum \(enumeration.swiftName): \(rawType(enumeration, in: scope)), \(scope.runtime("ClosedEnum")) {
            \(cases(enumeration, withRawValues: true))
        }
        """
    }

    private static func rawType(_ enumeration: Enumeration, in scope: SwiftScope) -> String {
        scope.standard(enumeration.rawType == .int ? "Int" : "String")
    }

    /// Cases without a doc comment or a raw value share a line, as in handwritten code.
    private static func cases(_ enumeration: Enumeration, withRawValues: Bool) -> Code {
        var lines: [Code] = []
        var plain: [String] = []
        func flush() {
            if !plain.isEmpty { lines.append(Code("case " + plain.joined(separator: ", "))) }
            plain = []
        }
        for each in enumeration.cases {
            let needsRawValue = withRawValues && each.rawValue != .string(each.swiftName.unescaped)
            if each.documentation == nil, !needsRawValue, plain.reduce(0, { $0 + $1.count + 2 }) < 100 {
                plain.append(each.swiftName)
                continue
            }
            flush()
            if each.documentation == nil, !needsRawValue {
                plain.append(each.swiftName)
            } else {
                let value: Code = needsRawValue ? " = \(literal(each.rawValue))" : Code()
                lines.append(.lines([.documentation(each.documentation), "case \(each.swiftName)\(value)"]))
            }
        }
        flush()
        return .lines(lines)
    }

    private static func allCases(_ enumeration: Enumeration, access: String) -> Code {
        let names = enumeration.cases.map { "." + $0.swiftName }
        let declaration = "\(access)static let allCases: [\(enumeration.swiftName)] ="
        let line = "[\(names.joined(separator: ", "))]"
        guard line.count >= 70 else { return "\(declaration) \(line)" }
        return """
            \(declaration) [
                \(Code.elements(names.map { Code($0) }))
            ]
            """
    }

    private static func literal(_ value: CaseValue) -> String {
        switch value {
        case .string(let text): SwiftLiteral.string(text)
        case .int(let number): String(number)
        }
    }
}
