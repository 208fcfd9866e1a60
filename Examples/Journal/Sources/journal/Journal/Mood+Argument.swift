import ArgumentParser

/// `--mood happy`. A server may send unknown moods, but a user cannot enter one.
extension Mood: ExpressibleByArgument {
    init?(argument: String) {
        let mood = Mood(rawValue: argument)
        guard Mood.allCases.contains(mood) else { return nil }
        self = mood
    }

    static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension Mood {
    /// The order of the sections of a list: the best mood first, unknown moods last.
    static func isBetter(_ left: Mood, _ right: Mood) -> Bool { left.place > right.place }

    private var place: Int { Mood.allCases.firstIndex(of: self) ?? -1 }
}
