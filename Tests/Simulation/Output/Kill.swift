import Foundation
import TestSupport

/// One run that is killed at one step, what comes after it, and what must hold then.
///
/// Each file is at any time whole. `--check` says that all is well where it is, and only there. The next run, of the
/// same schemas or of others, leaves what a fresh one would; a file that a person has edited meanwhile is told and
/// kept.
public struct Kill: Sendable {
    private let run: KilledRun
    /// The change of the disk before which it is killed.
    private let change: Int
    private let fresh: FreshOutputs
    private var random: SeededRandom

    private static let mine = "Mine.txt"

    public init(_ run: KilledRun, at change: Int, seed: UInt64, fresh: FreshOutputs) {
        (self.run, self.change, self.fresh) = (run, change, fresh)
        random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(change))
    }

    /// - Returns: How many processes were killed; 0 where the run came to its end before the step.
    /// - Throws: ``KillFailure``.
    public mutating func happen() async throws -> Int {
        let workplace = try Workplace()
        let before = try await run.before.asyncMap { try await fresh.output(of: $0) } ?? [:]
        try workplace.writeOutput(before)
        try workplace.write("mine\n", to: Request.output + "/" + Self.mine)
        let identities = try workplace.identities()
        try workplace.prepare(for: run.killed)
        guard try workplace.run(run.killed, killAt: change).wasKilled else {
            try await check(workplace, holds: run.killed, "after a run that was not killed")
            return 0
        }
        var kills = 1
        var possible = [before, try await fresh.output(of: run.killed)]
        try Self.checkWhole(workplace, possible)
        var last = run.after.randomElement(using: &random) ?? run.killed
        // A second one, in the run that would have fixed it.
        if Bool.random(using: &random) {
            try workplace.prepare(for: last)
            if try workplace.run(last, killAt: Int.random(in: 1...40, using: &random)).wasKilled { kills += 1 }
            possible.append(try await fresh.output(of: last))
            try Self.checkWhole(workplace, possible)
            last = run.after.randomElement(using: &random) ?? last
        }
        try workplace.prepare(for: last)
        if !last.isEmit { try await checkTruth(workplace, last) }
        if !last.isEmit, random.isOne(in: 4), try edit(workplace) {
            try await checkEdited(workplace, last)
            try await check(workplace, holds: last, "after the next run with --force")
            return kills
        }
        let result = try workplace.run(last)
        guard result.status == 0 else { throw KillFailure("the next run fails: \(result.text)") }
        possible.append(try await fresh.output(of: last))
        try await check(workplace, holds: last, "after the next run")
        try Self.checkUntouched(workplace, identities, possible)
        return kills
    }

    // MARK: What must hold

    private static func checkWhole(_ workplace: Workplace, _ possible: [[String: Data]]) throws {
        for (path, data) in try workplace.output()
        where !isTransient(path) && !path.hasSuffix("/") && path != mine {
            guard possible.contains(where: { $0[path] == data }) else { throw KillFailure("\(path) is half-written") }
        }
    }

    /// A manifest may accept two contents of a file, and one file may be incomplete.
    private static func isTransient(_ path: String) -> Bool {
        path.hasSuffix(".lockstep-manifest") || path.hasSuffix(".lockstep-part")
    }

    private func checkTruth(_ workplace: Workplace, _ request: Request) async throws {
        let output = try workplace.output()
        let result = try workplace.run(request, ["--check"])
        let isFresh = try await differences(workplace, request, isCheck: true).isEmpty
        guard result.status == (isFresh ? 0 : 1) else {
            let state = isFresh ? "fresh" : "not fresh"
            throw KillFailure("--check exits \(result.status), and the output is \(state): \(result.text)")
        }
        guard try workplace.output() == output else { throw KillFailure("--check changed something") }
        if result.output.contains("edited:") || result.output.contains("not generated:") {
            throw KillFailure("--check says what is not true: \(result.output.prefix(500))")
        }
    }

    private func check(_ workplace: Workplace, holds request: Request, _ when: String) async throws {
        let differences = try await differences(workplace, request)
        guard differences.isEmpty else { throw KillFailure("\(when): \(differences.joined(separator: ", "))") }
        guard try workplace.read(Request.output + "/" + Self.mine) == "mine\n" else {
            throw KillFailure("\(when): a person's file was changed")
        }
        guard !request.isEmit else { return }
        let result = try workplace.run(request, ["--check"])
        guard result.status == 0 else { throw KillFailure("\(when), --check: \(result.text)") }
    }

    /// How the output differs from a fresh one, apart from empty folders.
    ///
    /// - Parameter isCheck: Whether to compare as `--check` does: neither an incomplete file nor the input that a
    ///   manifest names makes the output stale.
    private func differences(
        _ workplace: Workplace, _ request: Request, isCheck: Bool = false
    ) async throws -> [String] {
        var wanted = try await fresh.output(of: request)
        var found = try workplace.output().filter { $0.key != Self.mine && !$0.key.hasSuffix("/") }
        if isCheck {
            found = found.filter { !$0.key.hasSuffix(".lockstep-part") }
            wanted = Self.withoutInputs(wanted)
            found = Self.withoutInputs(found)
        }
        return Set(wanted.keys).union(found.keys).sorted().filter { wanted[$0] != found[$0] }.map { path in
            found[path] == nil ? "\(path) is missing" : wanted[path] == nil ? "\(path) is left" : "\(path) differs"
        }
    }

    private static func withoutInputs(_ files: [String: Data]) -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: files.map { path, data in
                guard path.hasSuffix(".lockstep-manifest") else { return (path, data) }
                let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
                return (path, Data(lines.filter { !$0.hasPrefix("input ") }.joined(separator: "\n").utf8))
            })
    }

    /// A file that all of the runs want alike is not written by any.
    private static func checkUntouched(
        _ workplace: Workplace, _ identities: [String: UInt64], _ possible: [[String: Data]]
    ) throws {
        let now = try workplace.identities()
        for (path, identity) in identities where path == mine || Set(possible.map { $0[path] }).count == 1 {
            guard now[path] == identity else { throw KillFailure("\(path) was written though it was as it should be") }
        }
    }

    // MARK: Edits by hand

    /// The person's edit, at the end of some file.
    private static let edit = "// by hand\n"

    private mutating func edit(_ workplace: Workplace) throws -> Bool {
        let paths = try workplace.output().keys.filter { $0.hasSuffix(".swift") && !$0.contains("/.") }.sorted()
        guard let path = paths.randomElement(using: &random) else { return false }
        try workplace.write(workplace.read(Request.output + "/" + path) + Self.edit, to: Request.output + "/" + path)
        return true
    }

    private func checkEdited(_ workplace: Workplace, _ request: Request) async throws {
        let result = try workplace.run(request)
        let edited = try workplace.output().filter { $0.value.suffix(Self.edit.utf8.count) == Data(Self.edit.utf8) }
        guard result.status == 1, edited.count == 1, let path = edited.keys.first, result.errors.contains(path) else {
            throw KillFailure("an edit was not told and kept (exit \(result.status)): \(result.text)")
        }
        let forced = try workplace.run(request, ["--force"])
        guard forced.status == 0 else { throw KillFailure("--force: \(forced.text)") }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
