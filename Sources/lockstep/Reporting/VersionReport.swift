import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

/// Prints changes, and what they need.
struct VersionReport {
    let schema: VersionedSchema
    let review: ChangeReview

    /// A line for each change, with its cost.
    var changes: TerminalText {
        let lines = review.changes.map { "  " + marked($0.text) }
        let width = min(60, lines.map(\.count).max() ?? 0)
        return TerminalText(
            lines: zip(review.changes.indices, lines).map { index, line in
                let padding = String(repeating: " ", count: max(0, width - line.count))
                return line + padding + "   " + note(index)
            })
    }

    /// Added and removed things begin with a sign; others are indented as if they had one.
    private func marked(_ text: String) -> String {
        text.hasPrefix("+ ") || text.hasPrefix("- ") ? text : "~ " + text
    }

    private func note(_ index: Int) -> String {
        let change = review.changes[index]
        var notes = [review.costs[index].text]
        switch change.answers.first {
        case .push: notes.append("existing records are sent")
        case .pull: notes.append("existing records count as unchanged")
        case nil: break
        }
        if change.answers.refetch {
            notes.append("\(change.path.type) is deleted and pulled again")
        } else if case .add = change.action, change.path.member != nil, review.pulledAgain.contains(change.path.type) {
            notes.append("\(change.path.type) is pulled again")
        }
        return notes.joined(separator: "; ")
    }

    /// Reports hints that do not fit. Throws `ExitCode` 2 if there are any.
    func refuseProblems() throws {
        guard !review.problems.isEmpty else { return }
        for problem in review.problems { Console.report("error: \(problem.hint): \(problem.reason).") }
        Console.report("Nothing was written.")
        throw Exit.wrongUse
    }
}
