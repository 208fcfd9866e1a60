extension InspectionReport.Change {
    /// Why a change has not been sent, or that it was.
    package struct State: Hashable, Sendable {
        /// A few words if the change needs attention.
        package var label: String?
        package var text: String

        /// Both on one line: `parked: 422, the server rejects its values`.
        var line: String { [label, text.isEmpty ? nil : text].compactMap(\.self).joined(separator: ": ") }
    }

    /// The obstacles to sending the change, and the attempts.
    package var states: [State] {
        var states: [State] = []
        if isUnclaimed { states.append(State(label: "of no entity of the schema", text: "")) }
        if let parked {
            let attributes = parked.attributes.isEmpty ? "" : " (\(parked.attributes.joined(separator: ", ")))"
            states.append(State(label: "parked", text: parked.label + attributes))
        } else if attempts > 0 {
            states.append(State(text: attempts.of("attempt") + (error.map { " (\($0.text))" } ?? "")))
            if let retryAt { states.append(State(text: "next at \(InspectionText.date(retryAt))")) }
        }
        if isInside { states.append(State(text: "inside its owner")) }
        if isSent && !isParked { states.append(State(text: "sent, outcome unknown")) }
        return states
    }

    /// The changed members and the obstacles to sending the change, on one line.
    package var notes: String {
        let members = changed.isEmpty ? [] : [changed.joined(separator: ", ")]
        let links = links.map { "\($0.relationship) \($0.numbers.joined(separator: " "))" }
        return (members + links + states.map(\.line)).joined(separator: "; ")
    }
}

extension InspectionReport.LinkChange {
    /// How many were added and removed: `+2`, `−1`.
    package var numbers: [String] {
        (added > 0 ? ["+\(InspectionText.number(added))"] : [])
            + (removed > 0 ? ["−\(InspectionText.number(removed))"] : [])
    }
}
