package import Foundation
package import LockstepJSON

/// The cases that were run on a server, and their results.
package struct ConformanceReport: Sendable {
    package private(set) var address: String
    package let dialect: String
    package let entity: String
    package var cases: [Case] = []
    /// The addresses of the records that could not be deleted.
    package var remaining: [String] = []

    package struct Case: Sendable {
        package let name: String
        package let question: String
        package let outcome: Outcome
        /// The observed behavior, or why the case was skipped.
        package fileprivate(set) var seen: String
        /// The effect on apps if the case fails.
        package let grade: ConformanceGrade
        /// What to change if the case fails.
        package let remedy: String

        package init(
            name: String, question: String, outcome: Outcome, seen: String, grade: ConformanceGrade, remedy: String
        ) {
            self.name = name
            self.question = question
            self.outcome = outcome
            self.seen = seen
            self.grade = grade
            self.remedy = remedy
        }
    }

    package enum Outcome: String, Sendable {
        case passed, failed
        /// The case does not apply, or something that it needs is missing.
        case notAsked = "not asked"
        /// The server did not give the responses that the case needs.
        case interrupted
    }

    package init(address: String, dialect: String, entity: String) {
        self.address = address
        self.dialect = dialect
        self.entity = entity
    }

    /// The effects on apps; empty if the server is safe.
    package var grades: [ConformanceGrade] {
        ConformanceGrade.allCases.filter { grade in cases.contains { $0.outcome == .failed && $0.grade == grade } }
    }

    /// The report without secrets in what the server, or the caller, has written.
    package func hiding(_ secrets: Secrets) -> ConformanceReport {
        var report = self
        report.address = secrets.hidden(in: address)
        for index in cases.indices { report.cases[index].seen = secrets.hidden(in: cases[index].seen) }
        report.remaining = remaining.map(secrets.hidden)
        return report
    }

    /// The names of the cases that were not asked.
    package var notAsked: [String] { cases.filter { $0.outcome == .notAsked }.map(\.name) }

    /// Whether some cases could not be completed.
    package var isInterrupted: Bool { cases.contains { $0.outcome == .interrupted } }
}

extension ConformanceReport {
    /// The report as text. Text from the server is escaped.
    package var text: TerminalText {
        let width = cases.map(\.name.count).max() ?? 0
        var lines: [TerminalText] = ["\(address), \(dialect), \(entity)", ""]
        for item in cases {
            let outcome = item.outcome.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
            let name = item.name.padding(toLength: width, withPad: " ", startingAt: 0)
            lines.append("\(outcome)  \(name)  \(item.seen)")
            if item.outcome == .failed {
                lines.append("             \(item.grade.rawValue): \(item.remedy)")
            }
        }
        lines.append("")
        lines.append("Grade: \(verdict)")
        if !remaining.isEmpty {
            lines.append("Delete these records, which could not be deleted: \(remaining.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    private var verdict: String {
        if !grades.isEmpty { return grades.map(\.rawValue).joined(separator: ", ") }
        if isInterrupted { return "none, because some cases could not be asked" }
        return notAsked.isEmpty
            ? "safe" : "safe, as far as \(cases.count - notAsked.count) of \(cases.count) cases were asked"
    }

    /// The report as JSON with sorted keys.
    package func json() throws -> Data {
        let cases = cases.map { item -> JSONValue in
            [
                "name": .string(item.name), "question": .string(item.question),
                "outcome": .string(item.outcome.rawValue), "seen": .string(item.seen),
                "grade": item.outcome == .failed ? .string(item.grade.rawValue) : .null,
                "remedy": item.outcome == .failed ? .string(item.remedy) : .null,
            ]
        }
        let report: JSONValue = [
            "address": .string(address), "dialect": .string(dialect), "entity": .string(entity),
            "grades": .array(grades.map { .string($0.rawValue) }), "isSafe": .bool(grades.isEmpty && !isInterrupted),
            "notAsked": .array(notAsked.map(JSONValue.string)), "cases": .array(cases),
            "remaining": .array(remaining.map(JSONValue.string)),
        ]
        return try report.json(isPretty: true)
    }
}
