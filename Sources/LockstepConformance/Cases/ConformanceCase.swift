import LockstepRemotes

/// A test of one property of a server.
struct ConformanceCase: Sendable {
    let name: String
    let question: String
    /// The effect on apps if the case fails.
    let grade: ConformanceGrade
    /// What to change in the server if the case fails.
    let remedy: String
    /// The cases that must have passed, because a failure of one of them would also make this case fail.
    let needs: [String]
    let ask: @Sendable (ConformanceStage) async throws -> Answer

    enum Answer: Sendable {
        case passed(String)
        case failed(String)
        /// Why the case does not apply, or what it needs.
        case notAsked(String)
    }

    init(
        _ name: String, question: String, grade: ConformanceGrade, remedy: String, needs: [String] = ["next changes"],
        ask: @escaping @Sendable (ConformanceStage) async throws -> Answer
    ) {
        self.name = name
        self.question = question
        self.grade = grade
        self.remedy = remedy
        self.needs = needs
        self.ask = ask
    }

    /// All cases, in the order in which they are run.
    static let all = reading + deleting + writing + rights
}

extension ConformanceCase.Answer {
    /// Passed or failed, with a description of the observed behavior.
    static func verdict(_ hasPassed: Bool, passed: String, failed: String) -> Self {
        hasPassed ? .passed(passed) : .failed(failed)
    }
}
