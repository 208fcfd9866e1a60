#if SwiftSources
    import SwiftParser
    import SwiftSyntax

    /// Reads names, types and expressions, to a depth that models do not reach.
    struct SwiftValueReader {
        let text: SwiftSourceFile

        private static let depthLimit = 16
        /// The expressions of a list that are read.
        private static let countLimit = 1000

        func line(_ node: some SyntaxProtocol) -> Int {
            text.line(node.positionAfterSkippingLeadingTrivia.utf8Offset)
        }

        /// The name without backticks.
        func name(_ token: TokenSyntax) -> String { token.text.filter { $0 != "`" } }

        // MARK: Types

        /// The names of a type that has a path.
        func path(_ type: TypeSyntax) -> [String] {
            var (names, rest): ([String], TypeSyntax?) = ([], type)
            while let type = rest, names.count < Self.depthLimit {
                if let member = type.as(MemberTypeSyntax.self) {
                    names.append(name(member.name))
                    rest = member.baseType
                } else {
                    if let last = type.as(IdentifierTypeSyntax.self) { names.append(name(last.name)) }
                    rest = type.as(AttributedTypeSyntax.self)?.baseType
                }
            }
            return names.reversed()
        }

        func type(_ type: TypeSyntax, depth: Int = 0) -> SwiftType {
            guard depth < Self.depthLimit else { return .other("…") }
            if let array = type.as(ArrayTypeSyntax.self) { return .array(self.type(array.element, depth: depth + 1)) }
            if let dictionary = type.as(DictionaryTypeSyntax.self) {
                return .dictionary(
                    self.type(dictionary.key, depth: depth + 1), self.type(dictionary.value, depth: depth + 1))
            }
            if let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType
                ?? type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
            {
                return .optional(self.type(wrapped, depth: depth + 1))
            }
            if let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1 {
                return self.type(only.type, depth: depth + 1)
            }
            let generic =
                type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
                ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
            let path = path(type)
            if path.isEmpty { return .other(text.beginning(of: type)) }
            return Self.sugared(path, of: parameters(generic, depth: depth))
        }

        private func parameters(_ clause: GenericArgumentClauseSyntax?, depth: Int) -> [SwiftType] {
            clause?.arguments.compactMap { argument -> SwiftType? in
                guard case .type(let type) = argument.argument else { return nil }
                return self.type(type, depth: depth + 1)
            } ?? []
        }

        /// `[X]` for `Array<X>`, and `X?` for `Optional<X>`.
        private static func sugared(_ path: [String], of parameters: [SwiftType]) -> SwiftType {
            let name = path[path.count - 1]
            return switch (name, parameters.count) {
            case ("Array", 1): .array(parameters[0])
            case ("Optional", 1): .optional(parameters[0])
            case ("Dictionary", 2): .dictionary(parameters[0], parameters[1])
            default: .named(name, of: parameters, in: path.dropLast())
            }
        }

        // MARK: Attributes

        func attributes(_ list: AttributeListSyntax) -> [SwiftAttribute] {
            list.compactMap { element in
                guard case .attribute(let attribute) = element, let name = path(attribute.attributeName).last else {
                    return nil
                }
                var arguments: [SwiftArgument] = []
                if case .argumentList(let list)? = attribute.arguments { arguments = self.arguments(list) }
                return SwiftAttribute(name: name, line: line(attribute), arguments: arguments)
            }
        }

        func arguments(_ list: LabeledExprListSyntax, depth: Int = 0) -> [SwiftArgument] {
            list.prefix(Self.countLimit).map { element in
                SwiftArgument(label: element.label.map(name), value: value(element.expression, depth: depth + 1))
            }
        }

        // MARK: Expressions

        /// The value of code that is one expression.
        func result(_ statements: CodeBlockItemListSyntax) -> SwiftValue? {
            guard let only = statements.first, statements.count == 1 else { return nil }
            if case .expr(let expression) = only.item { return value(expression) }
            guard case .stmt(let statement) = only.item else { return nil }
            return statement.as(ReturnStmtSyntax.self)?.expression.map { value($0) }
        }

        func value(_ expression: ExprSyntax, depth: Int = 0) -> SwiftValue {
            guard depth < Self.depthLimit else { return .other("…") }
            if let literal = literal(expression) { return literal }
            if let list = expression.as(ArrayExprSyntax.self) {
                return .list(list.elements.prefix(Self.countLimit).map { value($0.expression, depth: depth + 1) })
            }
            if let sequence = expression.as(SequenceExprSyntax.self) { return sum(sequence, depth: depth) }
            if let forced = expression.as(ForceUnwrapExprSyntax.self) {
                return value(forced.expression, depth: depth + 1)
            }
            if let keyPath = expression.as(KeyPathExprSyntax.self) { return .keyPath(names(of: keyPath)) }
            if let names = names(of: expression) { return .member(names) }
            if let call = expression.as(FunctionCallExprSyntax.self) { return self.call(call, depth: depth) }
            return .other(text.beginning(of: expression))
        }

        /// The values of `a + b + c`; any other operation is not read.
        private func sum(_ sequence: SequenceExprSyntax, depth: Int) -> SwiftValue {
            let parts = Array(sequence.elements.prefix(Self.countLimit))
            let operators = stride(from: 1, to: parts.count, by: 2).map { text.text(of: parts[$0]) }
            guard parts.count < Self.countLimit, operators.allSatisfy({ $0 == "+" }) else {
                return .other(text.beginning(of: sequence))
            }
            return .sum(stride(from: 0, to: parts.count, by: 2).map { value(parts[$0], depth: depth + 1) })
        }

        private func literal(_ expression: ExprSyntax) -> SwiftValue? {
            if let string = expression.as(StringLiteralExprSyntax.self) {
                return string.representedLiteralValue.map(SwiftValue.text) ?? .other(text.beginning(of: string))
            }
            if let number = expression.as(IntegerLiteralExprSyntax.self) {
                // Also of `0x1F`.
                return .number(number.representedLiteralValue.map { "\($0)" } ?? Self.digits(number.literal))
            }
            if let number = expression.as(FloatLiteralExprSyntax.self) { return .number(Self.digits(number.literal)) }
            if let bool = expression.as(BooleanLiteralExprSyntax.self) { return .bool(bool.literal.text == "true") }
            if expression.is(NilLiteralExprSyntax.self) { return SwiftValue.none }
            if let negative = expression.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-",
                case .number(let digits)? = literal(negative.expression), !digits.hasPrefix("-")
            {
                return .number("-\(digits)")
            }
            if let dictionary = expression.as(DictionaryExprSyntax.self), case .colon = dictionary.content {
                return .emptyCollection(.dictionary(.other("_"), .other("_")))
            }
            return nil
        }

        private static func digits(_ token: TokenSyntax) -> String { token.text.filter { $0 != "_" } }

        private func call(_ call: FunctionCallExprSyntax, depth: Int) -> SwiftValue {
            if call.arguments.isEmpty, let type = collection(call.calledExpression, depth: depth) {
                return .emptyCollection(type)
            }
            guard let names = names(of: call.calledExpression) else { return .other(text.beginning(of: call)) }
            return .call(names, arguments(call.arguments, depth: depth))
        }

        /// The type in `[Int]()` and `Set<Int>()`.
        private func collection(_ expression: ExprSyntax, depth: Int) -> SwiftType? {
            if let generic = expression.as(GenericSpecializationExprSyntax.self) {
                let parameters = parameters(generic.genericArgumentClause, depth: depth)
                return names(of: generic.expression).map { Self.sugared($0, of: parameters) }
            }
            guard let list = expression.as(ArrayExprSyntax.self), let element = list.elements.first,
                list.elements.count == 1
            else { return nil }
            return names(of: element.expression).flatMap { SwiftType.named($0) }.map { .array($0) }
        }

        /// The names of `a.b.c`; `nil` for any other expression.
        private func names(of expression: ExprSyntax) -> [String]? {
            var (names, rest): ([String], ExprSyntax?) = ([], expression)
            while let part = rest, names.count < Self.depthLimit {
                if let member = part.as(MemberAccessExprSyntax.self) {
                    names.append(name(member.declName.baseName))
                    guard let base = member.base else { return ([""] + names.reversed()) }
                    rest = base
                } else if let reference = part.as(DeclReferenceExprSyntax.self) {
                    return (names + [name(reference.baseName)]).reversed()
                } else if let generic = part.as(GenericSpecializationExprSyntax.self) {
                    rest = generic.expression
                } else if let call = part.as(FunctionCallExprSyntax.self), names == ["uuidString"] {
                    rest = call.calledExpression
                } else {
                    return nil
                }
            }
            return nil
        }

        private func names(of keyPath: KeyPathExprSyntax) -> [String] {
            keyPath.components.prefix(Self.depthLimit).compactMap { component in
                guard case .property(let property) = component.component else { return nil }
                return name(property.declName.baseName)
            }
        }
    }

    extension SwiftSourceFile {
        func text(of node: some SyntaxProtocol) -> String {
            let (start, end) = (node.positionAfterSkippingLeadingTrivia, node.endPositionBeforeTrailingTrivia)
            return start < end ? text(in: start.utf8Offset..<end.utf8Offset) : ""
        }

        /// Its first line, for the report.
        func beginning(of node: some SyntaxProtocol) -> String {
            let line = text(of: node).prefix { !$0.isNewline }
            return line.count > 60 ? "\(line.prefix(60))…" : String(line)
        }
    }
#endif
