import Testing

/// What a target says about its Swift.
struct CompilerSettings: Sendable, CustomTestStringConvertible {
    var languageMode: String
    var isIsolatedToMainActor: Bool
    /// Upcoming features.
    var features: [String]

    var arguments: [String] {
        ["-swift-version", languageMode]
            + (isIsolatedToMainActor ? ["-default-isolation", "MainActor"] : [])
            + features.flatMap { ["-enable-upcoming-feature", $0] }
    }

    var testDescription: String {
        "Swift \(languageMode)\(isIsolatedToMainActor ? ", -default-isolation MainActor" : ""), "
            + (features.isEmpty ? "no upcoming features" : features.joined(separator: " "))
    }

    /// Both language modes and isolations, each with no upcoming feature, with all of them, with each one that no mode
    /// of this compiler has, and Swift 5 also with all those of Swift 6.
    static func all() throws -> [CompilerSettings] {
        let upcoming = try SwiftCompiler.upcomingFeatures()
        return ["5", "6"].flatMap { mode in
            let missing = upcoming.filter { $0.languageMode > mode }
            let later = missing.filter { $0.languageMode > "6" }.map(\.name)
            let ofSix = missing.filter { $0.languageMode == "6" }.map(\.name)
            let sets = [[], missing.map(\.name)] + later.map { [$0] } + (ofSix.isEmpty ? [] : [ofSix])
            return sets.flatMap { features in
                [false, true].map {
                    CompilerSettings(languageMode: mode, isIsolatedToMainActor: $0, features: features)
                }
            }
        }
    }

    /// With no upcoming feature, and with all of them.
    static func extremes() throws -> [CompilerSettings] {
        let all = try all()
        return all.filter { settings in
            let numbers = all.filter { $0.languageMode == settings.languageMode }.map(\.features.count)
            return settings.features.isEmpty || settings.features.count == numbers.max()
        }
    }
}
