/// Calls of the conversions that apps write in Swift.
extension ValueSQL {
    /// Returns the result of an app's conversion, within the limits of its attribute.
    func value(of call: ConversionCall, step: ValueStep, columns: [String: String]) -> String {
        let inputs = inputs(of: call, columns: columns)
        let initial = initialValue(ofOutput: call.output, inputs: inputs, call: call)
        return fitted(output(of: call, inputs: inputs), step: step, insteadOfOthers: initial)
    }

    /// The error of an app's conversion for a row; NULL if it has none.
    func error(of call: ConversionCall, outputs: [ValueStep], columns: [String: String]) -> String {
        let inputs = inputs(of: call, columns: columns)
        let error = "lockstep_conversion(-1, NULL, \(arguments(of: call, inputs: inputs)))"
        let violations = outputs.compactMap { step -> String? in
            guard let call = step.conversion else { return nil }
            let value = output(of: call, inputs: inputs)
            let fitted = fitted(value, step: step, insteadOfOthers: "NULL")
            guard fitted != value else { return nil }
            let reason = "the value of “\(step.new.attribute.name)” is outside of its limits"
            return "WHEN \(value) IS NOT \(fitted) THEN \(text(.text(reason)))"
        }
        return violations.isEmpty
            ? error : "CASE WHEN \(error) IS NOT NULL THEN \(error) \(violations.joined(separator: " ")) END"
    }

    private func output(of call: ConversionCall, inputs: [String]) -> String {
        let initial = initialValue(ofOutput: call.output, inputs: inputs, call: call)
        return "lockstep_conversion(\(call.output), \(initial), \(arguments(of: call, inputs: inputs)))"
    }

    /// The former value if it is within the limits, or the constant.
    private func initialValue(ofOutput index: Int, inputs: [String], call: ConversionCall) -> String {
        let output = call.conversion.outputs[index]
        let constant = output.initialValue.map(text) ?? "NULL"
        guard let input = output.keptInput else { return constant }
        let value = fitted(
            inputs[input], step: ValueStep(nil, to: output.shape, answers: ChangeAnswers()), insteadOfOthers: constant)
        return output.shape.attribute.isOptional ? value : "coalesce(\(value), \(constant))"
    }

    /// The conversion's identifier, the values of its inputs, and the initial ones of its outputs.
    private func arguments(of call: ConversionCall, inputs: [String]) -> String {
        let initial = call.conversion.outputs.indices.map { initialValue(ofOutput: $0, inputs: inputs, call: call) }
        return ([text(.text(call.conversion.id))] + inputs + initial).joined(separator: ", ")
    }

    private func inputs(of call: ConversionCall, columns: [String: String]) -> [String] {
        call.inputs.map { input in input.flatMap { columns[$0] }.map(SQLWriter.quoted) ?? "NULL" }
    }
}
