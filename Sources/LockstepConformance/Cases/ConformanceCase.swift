import LockstepRemotes

/// One question to a server.
struct ConformanceCase: Sendable {
    let name: String
    let question: String
    /// What the server does to apps if it fails.
    let grade: ConformanceGrade
    /// What to change in the server if it fails.
    let remedy: String
    /// The cases that must have passed, because a failure of one would look like one of this.
    let needs: [String]
    let ask: @Sendable (ConformanceStage) async throws -> Answer

    enum Answer: Sendable {
        case passed(String)
        case failed(String)
        /// Why it does not apply, or what is missing.
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

    /// All cases, in the order in which they are asked.
    static let all = reading + deleting + writing + rights
}

extension ConformanceCase.Answer {
    /// Passed or failed, with what was seen.
    static func verdict(_ hasPassed: Bool, passed: String, failed: String) -> Self {
        hasPassed ? .passed(passed) : .failed(failed)
    }
}
