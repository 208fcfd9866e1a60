import LockstepEvolution
import LockstepJSON

extension ChangeReview {
    /// Reviews something that was added.
    mutating func reviewAdded(_ change: inout SchemaChange) -> ChangeCost {
        let path = change.path
        guard let member = path.member, let entity = scope.new.entity(path.type) else { return .instant }
        if let shape = scope.newShape(path) {
            if entity.remote != nil, shape.attribute.wire != nil { pulledAgain.insert(path.type) }
            return reviewAdded(&change, of: shape)
        }
        guard let relationship = entity.relationship(member) else { return .instant }
        return reviewAdded(&change, for: relationship)
    }

    private mutating func reviewAdded(_ change: inout SchemaChange, of shape: AttributeShape) -> ChangeCost {
        let path = change.path
        let attribute = shape.attribute
        if takeSwift(&change, for: shape, isAdded: true) {
            _ = takeFill(&change, for: shape)
        } else if attribute.isOptional || attribute.defaultValue != nil {
            _ = takeFill(&change, for: shape)
        } else if !answerMissingValue(&change, for: shape) {
            find(
                .addsRequired, at: path,
                message: "'\(path)' is required and has no default; existing records have no value",
                answers: attribute.isUnique ? [] : answersForMissing(path, for: shape),
                help: "Or make it optional, or give it a default.")
        }
        reviewAddedUnique(change, of: shape)
        var cost = ChangeCost.instant
        if !attribute.limits.isEmpty || shape.isClosed { cost = .scan }
        if attribute.isUnique { cost = .larger(cost, .index) }
        let isComputed = attribute.defaultValue == .now || attribute.defaultValue == .newUUID
        if change.answers.convert != nil { return .rebuild }
        return isComputed ? .larger(cost, .update) : cost
    }

    /// An added unique attribute cannot have one value in all records.
    private mutating func reviewAddedUnique(_ change: SchemaChange, of shape: AttributeShape) {
        let attribute = shape.attribute
        guard attribute.isUnique, change.answers.convert == nil else { return }
        let isNew = change.answers.fill == "new" || change.answers.fill == nil && attribute.defaultValue == .newUUID
        let hasValue = change.answers.fill != nil || attribute.defaultValue != nil
        guard hasValue, !isNew else { return }
        find(
            .becomesUnique, at: change.path,
            message: "'\(change.path)' is unique, but all existing records get the same value",
            answers: [],
            help: "Or make it optional, without a default and --fill.")
    }

    // MARK: Changes

    /// Reviews an attribute whose properties change.
    mutating func reviewChanged(
        _ change: inout SchemaChange, from old: AttributeShape, to new: AttributeShape
    ) -> ChangeCost {
        let kind = TypeChange(from: old, to: new)
        let entity = scope.renamed.entity(change.path.type)
        let isKey = entity?.identity.keyAttributes.contains(old.attribute.name) ?? false
        if isKey, kind != .same {
            find(
                .changesIdentity, at: change.path,
                message: """
                    '\(change.path)' is the identity of '\(change.path.type)', and changes from \(old.attribute.type.text) \
                    to \(new.attribute.type.text)
                    """,
                help: """
                    Links, pending changes and the server refer to records by their identity. Add another entity, and \
                    pull its records.
                    """)
            return .rebuild
        }
        if takeSwift(&change, for: new) {
            _ = takeFill(&change, for: new)
            reviewKey(change.path, from: old.attribute.wire, to: new.attribute.wire)
            return .rebuild
        }
        if kind == .narrowing { reviewNarrowing(&change, from: old, to: new) }
        if old.attribute.isOptional, !new.attribute.isOptional { reviewRequired(&change, for: new) }
        if old.attribute.limits.isTighter(new.attribute.limits) { reviewLimits(&change, for: new) }
        reviewUnique(&change, from: old, to: new, isConverted: kind == .narrowing)
        reviewKey(change.path, from: old.attribute.wire, to: new.attribute.wire)
        return cost(from: old, to: new, kind: kind)
    }

    private mutating func reviewNarrowing(
        _ change: inout SchemaChange, from old: AttributeShape, to new: AttributeShape
    ) {
        let path = change.path
        let conversion = old.conversion == nil ? nil : new.conversion
        if let hint = hints.conversions[path] {
            used.insert(HintUse("--convert", path: path))
            guard hint == conversion else {
                let known = conversion.map { "The conversion of '\(path)' is \($0)" }
                return fail("--convert \(path)=\(hint)", reason: known ?? "There is no conversion of '\(path)'")
            }
            change.answers.convert = hint
            if takeOtherwise(&change, for: new) { return }
        } else if takeRefetch(&change, for: new) {
            return
        }
        var answers: [ReviewFinding.Answer] = []
        if let conversion {
            let otherwise = new.attribute.isOptional ? "null" : example(new)
            answers.append(
                .init(
                    condition: "To convert the others",
                    flags: "--convert \(path)=\(conversion) --otherwise \(otherwise)"))
        }
        find(
            .narrowsType, at: path,
            message: "'\(path)' changes from \(old.attribute.type.text) to \(new.attribute.type.text); "
                + "\(reason(from: old, to: new))",
            answers: answers + answersForAny(path, for: new) + answersInSwift(path, for: new))
    }

    private func reason(from old: AttributeShape, to new: AttributeShape) -> String {
        switch (old.raw, new.conversion) {
        case ("string", "number"?) where new.enumeration == nil: "some texts are not numbers"
        case ("double", "number"?), ("float", "number"?), ("decimal", "number"?), ("int", "number"?),
            ("int64", "number"?), ("int32", "number"?):
            "some numbers do not fit"
        case ("date", _) where new.raw == "day": "a day has no time"
        default: "some values are not of the new type"
        }
    }

    private mutating func reviewRequired(_ change: inout SchemaChange, for new: AttributeShape) {
        let path = change.path
        let answers = change.answers
        if answers.fill != nil || (answers.otherwise ?? .null) != .null { return }
        if answerMissingValue(&change, for: new) { return }
        if let value = new.attribute.defaultValue {
            change.answers.fill = value.json
            return
        }
        find(
            .becomesRequired, at: path,
            message: "'\(path)' becomes required, and has no default; some records have no value",
            answers: answersForMissing(path, for: new))
    }

    private mutating func reviewLimits(_ change: inout SchemaChange, for new: AttributeShape) {
        let path = change.path
        if change.answers.otherwise != nil || change.answers.refetch { return }
        if takeOtherwise(&change, for: new) { return }
        if takeRefetch(&change, for: new) { return }
        let value = new.attribute.isOptional ? "\(path)=null" : pair(path, with: new)
        find(
            .tightensLimit, at: path, message: "The limits of '\(path)' exclude values that were allowed",
            answers: [.init(condition: "To replace such values", flags: "--otherwise \(value)")]
                + answersForAny(path, for: new) + answersInSwift(path, for: new))
    }

    private mutating func reviewUnique(
        _ change: inout SchemaChange, from old: AttributeShape, to new: AttributeShape, isConverted: Bool
    ) {
        guard new.attribute.isUnique else { return }
        let path = change.path
        let fills = [change.answers.fill, change.answers.otherwise].compactMap(\.self)
        let mayRepeat = isConverted || fills.contains { $0 != .null && $0 != "new" }
        guard !old.attribute.isUnique || mayRepeat, !takeDuplicates(&change) else { return }
        find(
            .becomesUnique, at: path,
            message: old.attribute.isUnique
                ? "'\(path)' is unique, but several records may get the same value"
                : "'\(path)' becomes unique; several records may have the same value",
            answers: answersForDuplicates(path))
    }

    /// The hints that say which record stays.
    func answersForDuplicates(_ path: MemberPath) -> [ReviewFinding.Answer] {
        let entity = scope.new.entity(path.type)
        var answers: [ReviewFinding.Answer] = []
        if let date = entity?.attributes.first(where: { $0.type == .scalar(.date) })?.name {
            answers.append(
                .init(condition: "To keep the newest", flags: "--duplicates '\(path)=keepNewest(by: \(date))'"))
        }
        answers.append(.init(condition: "To keep the first", flags: "--duplicates \(path)=keepFirst"))
        if scope.isOnServer(MemberPath(path.type)) {
            answers.append(.init(condition: "If the server has none", flags: "--duplicates \(path)=refetch"))
        }
        return answers
    }

    // MARK: Costs

    private func cost(from old: AttributeShape, to new: AttributeShape, kind: TypeChange) -> ChangeCost {
        let hasNewColumn =
            kind != .same || sqlType(old) != sqlType(new) || old.attribute.isOptional != new.attribute.isOptional
            || old.attribute.limits != new.attribute.limits
        // The table's definition says that a column is unique.
        if old.attribute.isUnique, !new.attribute.isUnique { return .rebuild }
        if hasNewColumn { return .shuffle }
        return !old.attribute.isUnique && new.attribute.isUnique ? .index : .instant
    }

    private func sqlType(_ shape: AttributeShape) -> String {
        let lookup = SchemaLookup(
            SchemaStructure(name: "", enumerations: [shape.enumeration].compactMap(\.self)))
        return lookup.sqliteType(of: shape.attribute.type)
    }
}

extension AttributeLimits {
    /// Whether other limits exclude values that these allow.
    func isTighter(_ new: AttributeLimits) -> Bool {
        func isAbove(_ new: String?, from old: String?) -> Bool {
            guard let new else { return false }
            guard let old, let left = Double(new), let right = Double(old) else { return new != old }
            return left > right
        }
        func isBelow(_ new: String?, from old: String?) -> Bool {
            guard let new else { return false }
            guard let old, let left = Double(new), let right = Double(old) else { return new != old }
            return left < right
        }
        return isAbove(new.minimum, from: minimum) || isBelow(new.maximum, from: maximum)
            || new.minimumLength ?? 0 > minimumLength ?? 0
            || new.maximumLength ?? .max < maximumLength ?? .max
    }
}
