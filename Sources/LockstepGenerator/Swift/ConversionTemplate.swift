package import LockstepEvolution
import LockstepSchema

/// The part of `JournalSchema.swift` for conversions that the app writes in Swift: the types of their rows, the
/// protocol, and how the store calls them.
enum ConversionTemplate {
    /// - Returns: Nothing if no recorded version has such a conversion.
    static func code(in scope: SwiftScope) -> Code {
        let conversions = scope.history.map(NamedConversion.all) ?? []
        guard !conversions.isEmpty else { return Code() }
        let schema = scope.schema.swiftName
        let type = NamedConversion.typeName(schema: scope.schema.name)
        let runtime = scope.runtime("RowConversion")
        return """
            extension \(schema) {
                /// The conversions that migrations call. The type `\(type)`, which you write, conforms to this protocol.
                ///
                /// Each gets a row and sets new values. It must set the same values whenever it gets the same row.
                \(scope.typeAccess)protocol Conversions: \(scope.standard("SendableMetatype")) {
                    \(Code.sections(conversions.map { requirement($0, in: scope) }))
                }

                \(Code.sections(conversions.map { rows($0, in: scope) }))

                \(scope.access)static var conversions: [\(runtime)] {
                    \(Code.array(conversions.map { call($0, as: type, in: scope) }))
                }
            }
            """
    }

    private static func requirement(_ conversion: NamedConversion, in scope: SwiftScope) -> Code {
        let names = conversion.recorded.outputs.map { "`\($0.shape.attribute.name)`" }.joined(separator: ", ")
        return """
            /// Sets \(names) of a `\(conversion.recorded.entity)`, for \(conversion.version).
            ///
            /// - Throws: Any error: the record then keeps the initial values, and the row becomes a leftover.
            \(declaration(conversion))
            """
    }

    private static func declaration(_ conversion: NamedConversion) -> Code {
        let parameters = "_ old: \(conversion.oldType), _ new: inout \(conversion.newType)"
        let line = "static func \(conversion.function)(\(parameters)) throws"
        guard line.utf8.count > Code.maximumLineBytes else { return Code(line) }
        return """
            static func \(conversion.function)(
                \(Code(parameters))
            ) throws
            """
    }

    private static func rows(_ conversion: NamedConversion, in scope: SwiftScope) -> Code {
        let (inputs, outputs) = (conversion.recorded.inputs, conversion.recorded.outputs.map(\.shape))
        return """
            /// A row of `\(conversion.recorded.formerEntity)` before \(conversion.version).
            \(scope.typeAccess)struct \(conversion.oldType): \(scope.standard("Sendable")) {
                \(Code.lines(inputs.map { property("let", as: $0, in: scope) }))

                fileprivate init(_ row: \(scope.runtime("ConversionRow"))) throws {
                    \(Code.lines(inputs.enumerated().map { assignment($1, at: $0) }))
                }
            }

            /// What becomes of it: the values are the initial ones until the conversion sets them.
            \(scope.typeAccess)struct \(conversion.newType): \(scope.standard("Sendable")) {
                \(Code.lines(outputs.map { property("var", as: $0, in: scope) }))

                fileprivate init(_ row: \(scope.runtime("ConversionRow"))) throws {
                    \(Code.lines(outputs.enumerated().map { initialAssignment($1, at: inputs.count + $0) }))
                }
            }
            """
    }

    private static func call(_ conversion: NamedConversion, as type: String, in scope: SwiftScope) -> Code {
        """
        \(scope.runtime("RowConversion"))(\(SwiftLiteral.string(conversion.recorded.id))) { row in
            let old = try \(conversion.oldType)(row)
            var new = try \(conversion.newType)(row)
            // Migrations need this type of yours: see Conversions.
            try \(type).\(conversion.function)(old, &new)
            \(result(of: conversion))
        }
        """
    }

    private static func result(of conversion: NamedConversion) -> Code {
        let values = conversion.recorded.outputs.map { "new.\(SwiftName.member($0.shape.attribute.name))" }
        let line = "return [\(values.joined(separator: ", "))]"
        guard line.utf8.count > Code.maximumLineBytes - 8 else { return Code(line) }
        return """
            return [
                \(Code.elements(values.map { Code($0) }))
            ]
            """
    }

    private static func property(_ word: String, as shape: ValueStep.Shape, in scope: SwiftScope) -> Code {
        let type = typeName(shape.attribute.type, as: shape, in: scope) + (shape.attribute.isOptional ? "?" : "")
        return "\(scope.access)\(word) \(SwiftName.member(shape.attribute.name)): \(type)"
    }

    private static func assignment(_ shape: ValueStep.Shape, at index: Int) -> Code {
        let read = shape.attribute.isOptional ? "optionalValue" : "value"
        // An attribute may be called `row`.
        return "self.\(SwiftName.member(shape.attribute.name)) = try row.\(read)(\(index))"
    }

    private static func initialAssignment(_ shape: ValueStep.Shape, at index: Int) -> Code {
        let read = shape.attribute.isOptional ? "try row.optionalValue" : "row.initialValue"
        return "self.\(SwiftName.member(shape.attribute.name)) = \(read)(\(index))"
    }

    /// The type of the stored values: an enum is stored as its raw value.
    private static func typeName(_ type: ValueType, as shape: ValueStep.Shape, in scope: SwiftScope) -> String {
        switch type {
        case .scalar(let scalar): scope.typeName(.scalar(scalar))
        case .enumeration: scope.standard(shape.enumeration?.isInteger == true ? "Int64" : "String")
        case .list(let element): "[\(typeName(element, as: shape, in: scope))]"
        case .attachment: scope.standard("String")
        }
    }

    /// Whether the types of its rows are Foundation's.
    static func usesFoundation(in scope: SwiftScope) -> Bool {
        let shapes = (scope.history.map(NamedConversion.all) ?? []).flatMap {
            $0.recorded.inputs + $0.recorded.outputs.map(\.shape)
        }
        return shapes.contains { usesFoundation($0.attribute.type) }
    }

    private static func usesFoundation(_ type: ValueType) -> Bool {
        switch type {
        case .scalar(let scalar): [.decimal, .date, .uuid, .url, .data].contains(scalar)
        case .list(let element): usesFoundation(element)
        case .enumeration, .attachment: false
        }
    }
}

/// A conversion with its names in Swift.
package struct NamedConversion {
    package let recorded: RecordedConversion
    /// `splitName`, of the version's name.
    package let function: String
    /// `PersonBeforeSplitName`: of one entity, each conversion has another.
    package let oldType: String
    let newType: String

    /// Those of all versions of a history.
    package static func all(in history: SchemaHistory) -> [NamedConversion] {
        ((try? history.conversions()) ?? []).map { recorded in
            let words = Self.words(of: recorded.versionName ?? "version \(recorded.version)")
            let entity = recorded.formerEntity
            return NamedConversion(
                recorded: recorded, function: SwiftName.member(words.prefix(1).lowercased() + words.dropFirst()),
                oldType: "\(entity)Before\(words)", newType: "\(entity)After\(words)")
        }
    }

    /// The type with an app's conversions: `JournalConversions`.
    package static func typeName(schema: String) -> String { schema + "Conversions" }

    /// `SplitName` of `split-name`.
    private static func words(of name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let joined = words.joined()
        // A letter can have marks that Swift does not allow in a name.
        return UsableName.type(joined.first?.isLetter == true ? joined : "Version" + joined)
    }

    /// `version 4, “split-name”`.
    fileprivate var version: String {
        "version \(recorded.version)" + (recorded.versionName.map { ", “\($0)”" } ?? "")
    }
}
