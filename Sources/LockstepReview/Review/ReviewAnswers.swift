import LockstepEvolution
import LockstepJSON

/// Takes the hints that answer a change.
extension ChangeReview {
    /// Whether a hint gives the value of rows that have none; the answers of the change then say it.
    mutating func answerMissingValue(_ change: inout SchemaChange, for new: AttributeShape) -> Bool {
        takeFill(&change, for: new) || takeRefetch(&change, for: new)
    }

    /// Whether there is a `--fill`, which is reported if it is not a value of the type.
    mutating func takeFill(_ change: inout SchemaChange, for new: AttributeShape) -> Bool {
        let path = change.path
        guard let hint = hints.fills[path] else { return false }
        used.insert(HintUse("--fill", path: path))
        change.answers.fill = value(hint, of: new, flag: "--fill", at: path)
        return true
    }

    /// Whether there is an `--otherwise`, which can be `null` for an optional attribute.
    mutating func takeOtherwise(_ change: inout SchemaChange, for new: AttributeShape) -> Bool {
        let path = change.path
        guard let hint = hints.otherwise[path] else { return false }
        used.insert(HintUse("--otherwise", path: path))
        let isNull = hint == .null || hint == .string("null")
        if isNull, new.attribute.isOptional {
            change.answers.otherwise = .null
        } else {
            change.answers.otherwise = value(hint, of: new, flag: "--otherwise", at: path)
        }
        return true
    }

    /// Whether a `--convert` says that the app's code makes the values.
    ///
    /// - Parameter isAdded: Whether the attribute is new.
    mutating func takeSwift(_ change: inout SchemaChange, for new: AttributeShape, isAdded: Bool = false) -> Bool {
        let path = change.path
        guard let hint = hints.conversions[path], isAdded || hint == ChangeAnswers.swift else { return false }
        used.insert(HintUse("--convert", path: path))
        let outputs = hints.conversions.filter { $0.key.type == path.type && $0.value == ChangeAnswers.swift }.count
        let count = (scope.renamed.entity(path.type)?.attributes.count ?? 0) + outputs
        let reason: String? =
            if hint != ChangeAnswers.swift {
                "'\(path)' is new: only the app's code can make its values, with --convert \(path)=swift"
            } else if !isAdded, scope.new.entity(path.type)?.identity.keyAttributes.contains(new.attribute.name) == true
            {
                "'\(path)' is the identity of '\(path.type)', which does not change"
            } else if new.attribute.type == .attachment {
                "A conversion cannot make an attachment"
            } else if isUnique(new, in: path.type) {
                "'\(path)' is unique: record it without 'unique: true', and make it unique in a later version"
            } else if count > RecordedConversion.maximumAttributeCount {
                "'\(path.type)' has \(count) attributes with those to be made, and a conversion can have at most"
                    + " \(RecordedConversion.maximumAttributeCount)"
            } else { nil }
        if let reason { fail("--convert \(path)=\(hint)", reason: reason) }
        change.answers.convert = ChangeAnswers.swift
        return true
    }

    /// Whether no two records have the same value of an attribute, alone or with others.
    private func isUnique(_ shape: AttributeShape, in entity: String) -> Bool {
        let indexes = scope.new.entity(entity)?.indexes ?? []
        return shape.attribute.isUnique
            || indexes.contains { $0.isUnique && $0.columns.contains(shape.attribute.column) }
    }

    /// The hint that leaves a change to the app's code, if it can make such values.
    func answersInSwift(_ path: MemberPath, for new: AttributeShape) -> [ReviewFinding.Answer] {
        let isKey = scope.new.entity(path.type)?.identity.keyAttributes.contains(new.attribute.name) ?? false
        return isKey || isUnique(new, in: path.type) || new.attribute.type == .attachment
            ? [] : [.init(condition: "If only code can tell", flags: "--convert \(path)=swift")]
    }

    /// Whether the entity's rows are pulled again. Those that are kept get the value that is nearest to zero.
    mutating func takeRefetch(_ change: inout SchemaChange, for new: AttributeShape?) -> Bool {
        guard takeRefetch(&change) else { return false }
        guard let new, !new.attribute.isOptional else { return true }
        change.answers.fill = new.zero
        if new.zero == nil, new.attribute.type != .attachment {
            fail(
                "--refetch \(change.path.type)",
                reason: "Rows with changes that are not pushed stay: add --fill \(change.path)=VALUE")
        }
        return true
    }

    mutating func takeRefetch(_ change: inout SchemaChange) -> Bool {
        let type = change.path.type
        guard hints.refetched.contains(type) else { return false }
        used.insert(HintUse("--refetch", path: MemberPath(type)))
        if scope.isOnServer(MemberPath(type)) {
            change.answers.refetch = true
        } else {
            fail(
                "--refetch \(type)",
                reason: "'\(type)' stays on the device ('remote: none'), so it cannot be pulled again")
        }
        return true
    }

    /// Whether there is a `--duplicates`.
    mutating func takeDuplicates(_ change: inout SchemaChange) -> Bool {
        let path = change.path
        guard let hint = hints.duplicates[path] else { return false }
        used.insert(HintUse("--duplicates", path: path))
        let words = hint.filter { $0 != " " }
        if words == "keepFirst" {
            change.answers.duplicates = words
        } else if words == "refetch" {
            hintsRefetch(&change)
            // Rows that stay because of a change that is not pushed may still be equal.
            change.answers.duplicates = "keepFirst"
        } else if words.hasPrefix("keepNewest(by:"), words.hasSuffix(")") {
            keepNewest(by: String(words.dropFirst(14).dropLast()), change: &change, hint: hint)
        } else {
            fail(
                "--duplicates \(path)=\(hint)",
                reason: "It is keepFirst, refetch, or keepNewest(by: ATTRIBUTE)")
        }
        return true
    }

    private mutating func hintsRefetch(_ change: inout SchemaChange) {
        let path = change.path
        if scope.isOnServer(MemberPath(path.type)) {
            change.answers.refetch = true
        } else {
            fail(
                "--duplicates \(path)=refetch",
                reason: "'\(path.type)' stays on the device, so it cannot be pulled again")
        }
    }

    private mutating func keepNewest(by name: String, change: inout SchemaChange, hint: String) {
        let attributes = scope.new.entity(change.path.type)?.attributes.map(\.name) ?? []
        guard attributes.contains(name) else {
            return fail(
                "--duplicates \(change.path)=\(hint)",
                reason:
                    "There is no attribute '\(name)'; '\(change.path.type)' has \(attributes.joined(separator: ", "))")
        }
        change.answers.duplicates = "keepNewest(by: \(name))"
    }

    private mutating func value(
        _ hint: JSONValue, of shape: AttributeShape, flag: String, at path: MemberPath
    ) -> JSONValue? {
        if let value = shape.value(hint) { return value }
        let limits = shape.attribute.limits.isEmpty ? "" : " within its limits"
        let cases = shape.enumeration.map { ": " + $0.cases.map(\.name).joined(separator: ", ") } ?? ""
        fail(
            "\(flag) \(path)=\(Self.text(hint))",
            reason: "It is not a value of type \(shape.attribute.type.text)\(limits)\(cases)")
        return nil
    }

    mutating func fail(_ hint: String, reason: String) {
        problems.append(HintProblem(hint, reason: reason, use: HintUse(hint: hint)))
    }

    mutating func find(
        _ code: ReviewFinding.Code, at path: MemberPath, message: String, answers: [ReviewFinding.Answer] = [],
        help: String? = nil, level: ReviewFinding.Level = .error
    ) {
        findings.append(
            ReviewFinding(code: code, level: level, path: path, message: message, answers: answers, help: help))
    }

    /// The hints that give values to rows that have none.
    func answersForMissing(_ path: MemberPath, for new: AttributeShape) -> [ReviewFinding.Answer] {
        var answers: [ReviewFinding.Answer] = []
        if new.attribute.type != .attachment {
            answers.append(
                .init(condition: "If one value is right for all", flags: "--fill \(pair(path, with: new))"))
        }
        answers += answersForAny(path, for: new)
        return answers + answersInSwift(path, for: new)
    }

    /// The hints that are possible for any change of values.
    func answersForAny(_ path: MemberPath, for new: AttributeShape) -> [ReviewFinding.Answer] {
        var answers: [ReviewFinding.Answer] = []
        // Rows with changes that are not pushed stay, and need a value.
        let canStay = new.attribute.isOptional || new.zero != nil || new.attribute.type == .attachment
        if canStay, scope.isOnServer(MemberPath(path.type)) {
            answers.append(.init(condition: "If the server has the values", flags: "--refetch \(path.type)"))
        }
        return answers
    }

    /// A path with a value, for a command line.
    func pair(_ path: MemberPath, with new: AttributeShape) -> String {
        if case .list = new.attribute.type { return "'\(path)=\(example(new))'" }
        return "\(path)=\(example(new))"
    }

    /// A value for a command line.
    func example(_ shape: AttributeShape) -> String {
        guard let zero = shape.zero else { return "VALUE" }
        let text = Self.text(zero)
        return text.isEmpty ? "\"\"" : text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
