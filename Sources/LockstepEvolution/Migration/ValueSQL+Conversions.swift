/// Calls of the conversions that apps write in Swift.
extension ValueSQL {
    /// What an app's conversion makes, within the limits of its attribute.
    func value(of call: ConversionCall, _ step: ValueStep, _ columns: [String: String]) -> String {
        fitted(output(of: call, arguments(of: call, columns)), step, insteadOfOthers: initialValue(of: call))
    }

    /// The error of an app's conversion for a row; NULL if it has none.
    func error(of call: ConversionCall, outputs: [ValueStep], columns: [String: String]) -> String {
        let arguments = arguments(of: call, columns)
        let error = "lockstep_conversion(-1, NULL, \(arguments))"
        let violations = outputs.compactMap { step -> String? in
            guard let call = step.conversion else { return nil }
            let value = output(of: call, arguments)
            let fitted = fitted(value, step, insteadOfOthers: "NULL")
            guard fitted != value else { return nil }
            let reason = "the value of “\(step.new.attribute.name)” is outside of its limits"
            return "WHEN \(value) IS NOT \(fitted) THEN \(text(.text(reason)))"
        }
        return violations.isEmpty
            ? error : "CASE WHEN \(error) IS NOT NULL THEN \(error) \(violations.joined(separator: " ")) END"
    }

    private func output(of call: ConversionCall, _ arguments: String) -> String {
        "lockstep_conversion(\(call.output), \(initialValue(of: call)), \(arguments))"
    }

    private func initialValue(of call: ConversionCall) -> String {
        call.conversion.initialValues[call.output].map(text) ?? "NULL"
    }

    /// The conversion's identifier, the values of its inputs, and the initial ones of its outputs.
    private func arguments(of call: ConversionCall, _ columns: [String: String]) -> String {
        let inputs = call.inputs.map { input in
            // The conversion is called in a stage of its own, with the columns as they are then.
            input.steps.isEmpty ? input.origin.flatMap { columns[$0] }.map(SQLWriter.quoted) ?? "NULL" : "NULL"
        }
        let initial = call.conversion.initialValues.map { $0.map(text) ?? "NULL" }
        return ([text(.text(call.conversion.id))] + inputs + initial).joined(separator: ", ")
    }
}
