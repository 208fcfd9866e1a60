#if SwiftSources
    import SwiftParser
    import SwiftSyntax

    /// Reads what a file of Swift declares. Nothing is expanded or run.
    struct SwiftSyntaxReader {
        private let text: SwiftSourceFile
        private let values: SwiftValueReader
        private var found: [SwiftDeclaration] = []
        private var unread: [SwiftUnread] = []

        /// The declarations of a file, in order, each before those that are nested in it.
        static func declarations(of file: SwiftSourceFile) -> (found: [SwiftDeclaration], unread: [SwiftUnread]) {
            let tree = file.bytes.withUnsafeBufferPointer {
                Parser.parse(source: $0, maximumNestingLevel: SwiftScan.depthLimit)
            }
            var reader = SwiftSyntaxReader(file)
            reader.read(tree.statements, in: [])
            return (reader.found, reader.unread)
        }

        private init(_ file: SwiftSourceFile) { (text, values) = (file, SwiftValueReader(text: file)) }

        private mutating func read(_ statements: CodeBlockItemListSyntax, in path: [String]) {
            for statement in statements {
                guard case .decl(let declaration) = statement.item else { continue }
                if let condition = declaration.as(IfConfigDeclSyntax.self) {
                    if case .statements(let inner)? = condition.clauses.first?.elements { read(inner, in: path) }
                    report(condition, owner: nil)
                } else {
                    readType(declaration, in: path)
                }
            }
        }

        /// Reports the clauses of a condition that are not read, if they declare something.
        private mutating func report(_ condition: IfConfigDeclSyntax, owner: [String]?) {
            guard let first = condition.clauses.first else { return }
            for clause in condition.clauses.dropFirst() where Self.isOfModels(clause) {
                unread.append(
                    SwiftUnread(
                        owner: owner, line: values.line(clause), text: "A branch of #if that was not read",
                        help: "The branch `\(text.beginning(of: first))` was read."))
            }
        }

        /// Whether a clause has members, or types.
        private static func isOfModels(_ clause: IfConfigClauseSyntax) -> Bool {
            switch clause.elements {
            case .decls(let members)?: !members.isEmpty
            case .statements(let statements)?:
                statements.contains { statement in
                    guard case .decl(let declaration) = statement.item else { return false }
                    return declaration.asProtocol((any DeclGroupSyntax).self) != nil
                        || declaration.is(IfConfigDeclSyntax.self)
                }
            default: false
            }
        }

        /// Reads a declaration of a type or an extension; `false` for any other.
        @discardableResult
        private mutating func readType(_ declaration: DeclSyntax, in path: [String]) -> Bool {
            let (group, kind, name): (any DeclGroupSyntax, SwiftDeclaration.Kind, [String])
            if let type = declaration.as(ClassDeclSyntax.self) {
                (group, kind, name) = (type, .class, [values.name(type.name)])
            } else if let type = declaration.as(StructDeclSyntax.self) {
                (group, kind, name) = (type, .type, [values.name(type.name)])
            } else if let type = declaration.as(ActorDeclSyntax.self) {
                (group, kind, name) = (type, .type, [values.name(type.name)])
            } else if let type = declaration.as(EnumDeclSyntax.self) {
                (group, kind, name) = (type, .enumeration, [values.name(type.name)])
            } else if let type = declaration.as(ExtensionDeclSyntax.self) {
                (group, kind, name) = (type, .extension, values.path(type.extendedType))
            } else {
                return readAlias(declaration, in: path)
            }
            guard !name.isEmpty else { return true }
            let line = text.line(group.introducer.positionAfterSkippingLeadingTrivia.utf8Offset)
            let index = found.count
            found.append(SwiftDeclaration(kind: kind, path: path + name, line: line))
            let inherited = group.inheritanceClause?.inheritedTypes.map { values.path($0.type) } ?? []
            (found[index].inherited, found[index].parent) = (inherited.compactMap(\.last), inherited.first ?? [])
            found[index].attributes = values.attributes(group.attributes)
            if kind != .class, found[index].has("Model") {
                unread.append(
                    SwiftUnread(
                        line: line, text: "\(name.joined(separator: ".")), which has @Model but is not a class",
                        help: "SwiftData stores objects of classes only: declare it with `class`."))
            }
            read(group.memberBlock.members, of: index)
            return true
        }

        private mutating func readAlias(_ declaration: DeclSyntax, in path: [String]) -> Bool {
            guard let alias = declaration.as(TypeAliasDeclSyntax.self) else { return false }
            guard alias.genericParameterClause == nil else { return true }
            found.append(
                SwiftDeclaration(
                    kind: .type, path: path + [values.name(alias.name)], line: values.line(alias),
                    target: values.type(alias.initializer.value)))
            return true
        }

        private mutating func read(_ members: MemberBlockItemListSyntax, of index: Int) {
            for member in members {
                let declaration = member.decl
                if let variable = declaration.as(VariableDeclSyntax.self) {
                    found[index].properties += properties(variable, of: found[index].path)
                } else if let macro = declaration.as(MacroExpansionDeclSyntax.self) {
                    found[index].macros.append(
                        SwiftAttribute(
                            name: values.name(macro.macroName), line: values.line(macro),
                            arguments: values.arguments(macro.arguments)))
                } else if let list = declaration.as(EnumCaseDeclSyntax.self) {
                    found[index].cases += list.elements.map { element in
                        SwiftDeclaration.Case(
                            name: values.name(element.name), line: values.line(element),
                            value: element.rawValue.map { values.value($0.value) },
                            hasParameters: element.parameterClause != nil)
                    }
                } else if let function = declaration.as(FunctionDeclSyntax.self) {
                    let result = function.body.flatMap { values.result($0.statements) }
                    found[index].functions.append((values.name(function.name), result))
                } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
                    for parameter in initializer.signature.parameterClause.parameters {
                        guard let value = parameter.defaultValue?.value else { continue }
                        let name = values.name(parameter.secondName ?? parameter.firstName)
                        if found[index].parameters[name] == nil {
                            found[index].parameters[name] = values.value(value)
                        }
                    }
                } else if let condition = declaration.as(IfConfigDeclSyntax.self) {
                    if case .decls(let inner)? = condition.clauses.first?.elements { read(inner, of: index) }
                    report(condition, owner: found[index].path)
                } else {
                    readType(declaration, in: found[index].path)
                }
            }
        }

        private mutating func properties(_ variable: VariableDeclSyntax, of owner: [String]) -> [SwiftProperty] {
            let isStatic = variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
            let isLazy = variable.modifiers.contains { $0.name.text == "lazy" }
            let attributes = values.attributes(variable.attributes)
            let isObjectiveC = variable.modifiers.contains { $0.name.text == "dynamic" }
            var type: SwiftType?
            // In `var a, b: String`, both have the type.
            let types = variable.bindings.reversed().map { binding -> SwiftType? in
                if let own = binding.typeAnnotation { type = values.type(own.type) }
                if binding.initializer != nil, binding.typeAnnotation == nil { type = nil }
                return type
            }
            return zip(variable.bindings, types.reversed()).compactMap { binding, type in
                guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                    if !isStatic { report(binding.pattern, of: owner) }
                    return nil
                }
                let (code, result) = computed(binding.accessorBlock)
                let marks = (isObjectiveC ? ["dynamic"] : []) + (isLazy ? ["lazy"] : [])
                return SwiftProperty(
                    name: values.name(pattern.identifier), line: values.line(binding),
                    type: type,
                    attributes: attributes
                        + marks.map { SwiftAttribute(name: $0, line: values.line(binding), arguments: []) },
                    value: binding.initializer.map { values.value($0.value) }, isStatic: isStatic, code: code,
                    result: result)
            }
        }

        private mutating func report(_ pattern: PatternSyntax, of owner: [String]) {
            unread.append(
                SwiftUnread(
                    owner: owner, line: values.line(pattern),
                    text: "\(owner.last ?? ""): the properties in \(text.beginning(of: pattern))",
                    help: "Declare each in a line of its own."))
        }

        /// The code of a property with a getter. Observers leave a property stored.
        private func computed(_ block: AccessorBlockSyntax?) -> (code: String?, result: SwiftValue?) {
            guard let block else { return (nil, nil) }
            if case .getter(let statements) = block.accessors {
                return (text.text(of: block), values.result(statements))
            }
            guard case .accessors(let list) = block.accessors,
                let getter = list.first(where: { !["willSet", "didSet"].contains($0.accessorSpecifier.text) })
            else { return (nil, nil) }
            return (text.text(of: block), getter.body.flatMap { values.result($0.statements) })
        }
    }
#endif
