package import LockstepEvolution

/// The consequences of a schema for the files, apps and servers of its earlier versions.
package struct SchemaCompatibility: Sendable {
    /// The categories of checks.
    package enum Category: String, Sendable, CaseIterable { case store, wire }

    /// A version that is compared with, and the steps from it to the schema.
    package struct Version: Sendable {
        /// `nil` for a structure that is in no history.
        package let number: Int?
        let tree: SchemaTree
        let steps: [SchemaHistory.Version]
        /// Whether the app opens its files.
        let opens: Bool

        /// A version of a history, with changes that no version records yet.
        ///
        /// - Throws: `StructureError` if there is no such version.
        package init(
            _ number: Int, of history: SchemaHistory, unrecorded changes: [SchemaChange], hash: StructureHash,
            opens: Bool = true
        ) throws(StructureError) {
            self.number = number
            self.opens = opens
            tree = try history.structure(at: number)
            var steps = history.versions.filter { $0.number > number }
            if !changes.isEmpty {
                steps.append(SchemaHistory.Version(number: history.head.number + 1, hash: hash, changes: changes))
            }
            self.steps = steps
        }

        /// A structure without a history.
        package init(_ tree: SchemaTree, changes: [SchemaChange], hash: StructureHash, opens: Bool) {
            number = nil
            self.opens = opens
            self.tree = tree
            steps = changes.isEmpty ? [] : [SchemaHistory.Version(number: 0, hash: hash, changes: changes)]
        }
    }

    /// A finding, with all versions that it applies to.
    package struct VersionedFinding: Hashable, Sendable {
        package let finding: WireFinding
        /// In order; empty for a structure without a history.
        package fileprivate(set) var versions: [Int]

        /// The older versions in words.
        package var older: String { SchemaCompatibility.text(versions) }
    }

    /// Of all versions, each difference once, in the order of the latest version.
    package private(set) var findings: [VersionedFinding] = []
    /// The work of opening a file of each version that opens.
    package private(set) var store: [(version: Int?, work: MigrationWork)] = []
    /// The versions whose files do not open.
    private var closed: [Int?] = []

    /// - Parameter versions: The versions to be compared with, in order.
    /// - Throws: `StructureError` if a change does not fit.
    package init(
        with versions: [Version], checking categories: Set<Category> = Set(Category.allCases)
    ) throws(StructureError) {
        for version in versions.reversed() {
            let evolution = try SchemaEvolution(from: version.tree, by: version.steps)
            if categories.contains(.wire) { add(WireCheck(evolution).findings, of: version.number) }
            if categories.contains(.store), !version.opens {
                closed.insert(version.number, at: 0)
            } else if categories.contains(.store) {
                let plan = MigrationPlan(evolution, in: FileTables(new: evolution.former), now: 0)
                store.insert((version.number, plan.work), at: 0)
            }
        }
    }

    private mutating func add(_ found: [WireFinding], of version: Int?) {
        for finding in found {
            let numbers = version.map { [$0] } ?? []
            if let index = findings.firstIndex(where: { $0.finding == finding }) {
                findings[index].versions = (findings[index].versions + numbers).sorted()
            } else {
                findings.append(VersionedFinding(finding: finding, versions: numbers))
            }
        }
    }

    package var isBreaking: Bool { findings.contains { $0.finding.level == .breaking } }

    package var advice: ReleaseAdvice { ReleaseAdvice(findings.lazy.map(\.finding)) }

    /// The number of findings in a direction that are not safe.
    package func count(_ direction: WireDirection) -> Int {
        findings.count { $0.finding.direction == direction && $0.finding.level > .safe }
    }

    // MARK: Texts

    /// Versions in words: `version 2`, `versions 2–4`, `versions 2, 4 and 5`.
    package static func text(_ versions: [Int]) -> String {
        guard let first = versions.first, let last = versions.last else { return "the other side" }
        if versions.count == 1 { return "version \(first)" }
        if last - first == versions.count - 1 { return "versions \(first)–\(last)" }
        return "versions \(versions.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }

    /// `store ok (versions 2–4 open, 2 instant, 1 rewrite)`, `wire: new app ← old server 0 · …`.
    package func summary(of categories: Set<Category>) -> String {
        var parts: [String] = []
        if categories.contains(.store) { parts.append(storeSummary) }
        if categories.contains(.wire) {
            parts.append(
                "wire: " + WireDirection.allCases.map { "\($0.rawValue) \(count($0))" }.joined(separator: " · "))
        }
        return parts.joined(separator: " · ")
    }

    private var storeSummary: String {
        let numbers = store.compactMap(\.version)
        let works: [(String, ClosedRange<MigrationWork>)] = [
            ("instant", .instant ... .instant), ("scan", .scan ... .scan), ("rewrite", .shuffle ... .rebuild),
        ]
        let counts = works.compactMap { name, range in
            let count = store.count { range.contains($0.work) }
            return count == 0 ? nil : "\(count) \(name)"
        }
        let opened = numbers.isEmpty ? store.isEmpty ? "no version" : "files open" : Self.text(numbers) + " open"
        guard closed.isEmpty else {
            let numbers = closed.compactMap(\.self)
            let files = numbers.isEmpty ? "files do" : "files of \(Self.text(numbers)) do"
            let others = store.isEmpty ? "" : " (\(([opened] + counts).joined(separator: ", ")))"
            return "store: \(files) not open\(others)"
        }
        return "store ok (\(([opened] + counts).joined(separator: ", ")))"
    }
}

extension SchemaHistory {
    /// Whether another history continues this one: it begins with the same versions, whether or not they were released.
    package func isPrefix(of other: SchemaHistory) -> Bool { firstDifference(from: other) == nil }

    /// The first version that another history, which continues this one, does not have; `nil` if it has all.
    ///
    /// One of the two may have forgotten its first versions.
    package func firstDifference(from other: SchemaHistory) -> Int? {
        guard schema == other.schema else { return first.number }
        let start = max(first.number, other.first.number)
        for version in versions where version.number >= start {
            guard let same = other.versions.first(where: { $0.number == version.number }), same.hash == version.hash
            else { return version.number }
        }
        return head.number < start ? head.number : nil
    }

    /// The versions that apps may have, from the oldest one that is supported: the released ones and, if there are
    /// none, the last.
    package func supportedVersions(oldest: Int?) -> [Int] {
        let released = versions.filter(\.isReleased).map(\.number)
        return (released.isEmpty ? [head.number] : released).filter { $0 >= oldest ?? .min }
    }
}
