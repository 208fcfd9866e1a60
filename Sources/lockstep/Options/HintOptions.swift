import ArgumentParser
import LockstepEvolution
import LockstepGenerator
import LockstepReview

/// The hints about changes, which are recorded with them.
struct HintOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What something is called now: Entry.bodyText=text, Entry=Note.", valueName: "name=new"))
    var rename: [String] = []

    @Option(help: ArgumentHelp("What is really removed: Entry.mood, Draft.", valueName: "name"))
    var remove: [String] = []

    @Option(
        help: ArgumentHelp("The value of existing records that have none: Entry.place=Home.", valueName: "name=value"))
    var fill: [String] = []

    @Option(
        help: ArgumentHelp(
            "An entity whose records are deleted unless they have changes, and pulled again.", valueName: "entity"))
    var refetch: [String] = []

    @Option(
        help: ArgumentHelp(
            "How values of another type are converted: Product.price=number, text, or swift.", valueName: "name=how"))
    var convert: [String] = []

    @Option(
        help: ArgumentHelp(
            "The value of those that cannot be kept: 0, null, or Product.price=0 if there are several.",
            valueName: "value"))
    var otherwise: [String] = []

    @Option(
        help: ArgumentHelp(
            "Which of equal records stays: 'Tag.name=keepNewest(by: updatedAt)', keepFirst, or refetch.",
            valueName: "name=which"))
    var duplicates: [String] = []

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("What replaces a removed case: Mood.happy=glad.", valueName: "name=new"))
    var cases: [String] = []

    @Option(
        help: ArgumentHelp(
            "Which side has the records of an entity that begins to be synced: Draft=push, Draft=pull.",
            valueName: "entity=side"))
    var first: [String] = []

    @Option(help: ArgumentHelp("Why something is removed, for readers of the history.", valueName: "text"))
    var because: String?

    /// Throws ``UsageFailure`` if one of them cannot be read.
    func hints() throws -> ReviewHints {
        var hints = ReviewHints()
        hints.renames = try pairs(rename, flag: "--rename", example: "Entry.bodyText=text")
        hints.removals = Set(try remove.map { try path($0, flag: "--remove", example: "Entry.mood") })
        hints.fills = try pairs(fill, flag: "--fill", example: "Entry.place=Home").mapValues(ReviewHints.value)
        hints.refetched = Set(try refetch.map { try path($0, flag: "--refetch", example: "Entry").type })
        hints.conversions = try pairs(convert, flag: "--convert", example: "Product.price=number")
        hints.duplicates = try pairs(duplicates, flag: "--duplicates", example: "Tag.name=keepFirst")
        hints.cases = try pairs(cases, flag: "--case", example: "Mood.happy=glad")
        hints.firsts = try pairs(first, flag: "--first", example: "Draft=push")
        hints.because = because
        for text in otherwise {
            let only = hints.conversions.count == 1 ? hints.conversions.first?.key : nil
            let isPair = (try? pair(text, flag: "--otherwise", example: "")).map {
                $0.path.description.first?.isUppercase == true
            }
            if let only, isPair != true {
                hints.otherwise[only] = ReviewHints.value(text)
            } else {
                let (path, value) = try pair(text, flag: "--otherwise", example: "Product.price=0")
                hints.otherwise[path] = ReviewHints.value(value)
            }
        }
        return hints
    }

    /// The options as they were given.
    var arguments: [String] {
        let lists: [(String, [String])] = [
            ("--rename", rename), ("--remove", remove), ("--fill", fill), ("--refetch", refetch),
            ("--convert", convert), ("--otherwise", otherwise), ("--duplicates", duplicates), ("--case", cases),
            ("--first", first), ("--because", because.map { [$0] } ?? []),
        ]
        return lists.flatMap { flag, values in values.flatMap { [flag, $0] } }
    }

    // MARK: Reading

    private func pairs(_ texts: [String], flag: String, example: String) throws -> [MemberPath: String] {
        var pairs: [MemberPath: String] = [:]
        for text in texts {
            let (path, value) = try pair(text, flag: flag, example: example)
            guard pairs.updateValue(value, forKey: path) == nil else {
                throw UsageFailure(message: "\(flag) is given twice for '\(path)'. Give it once.")
            }
        }
        return pairs
    }

    private func pair(_ text: String, flag: String, example: String) throws -> (path: MemberPath, value: String) {
        guard let index = text.firstIndex(of: "=") else {
            throw UsageFailure(message: "'\(flag) \(text)' has no '='. Write '\(flag) \(example)'.")
        }
        return (
            try path(String(text[..<index]), flag: flag, example: example), String(text[text.index(after: index)...])
        )
    }

    private func path(_ text: String, flag: String, example: String) throws -> MemberPath {
        guard let path = MemberPath(text: text) else {
            throw UsageFailure(message: "'\(flag) \(text)' does not begin with a name. Write '\(flag) \(example)'.")
        }
        return path
    }
}
