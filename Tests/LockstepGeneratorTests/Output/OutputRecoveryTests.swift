import Foundation
import LockstepSystem
import Testing

@testable import LockstepGenerator

/// Fails some disk operations, like a full disk or the end of the process.
private final class Failing: FileSystemFaults {
    private let count = Locked(0)
    private let numbers: @Sendable (Int) -> Int32

    init(_ numbers: @escaping @Sendable (Int) -> Int32) { self.numbers = numbers }

    func errorNumber(before change: FileSystem.Change, at path: String) -> Int32 {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return numbers(number)
    }

    var changes: Int { count.withLock { $0 } }
}

@Suite("Output of a failed or killed run")
struct OutputRecoveryTests {
    let disk: TemporaryFolder
    let folder: OutputFolder

    private let old = [
        generated("Journal/Entry.swift", "entry"), generated("Journal/Mood.swift", "mood"),
        generated("Shop/Parts/Deep/Old.swift", "old"), generated("Journal/Same.swift", "same"),
    ]
    private let new = [
        generated("Journal/Entry.swift", "new"), generated("Journal/Note.swift", "note"),
        generated("Journal/Parts/Deep/New.swift", "new"), generated("Other/A.swift", "a"),
        generated("Journal/Same.swift", "same"),
    ]
    private let third = [generated("Journal/Entry.swift", "third"), generated("Journal/Same.swift", "same")]

    init() throws {
        disk = try TemporaryFolder()
        folder = OutputFolder(disk.path + "/Generated")
    }

    private func input(_ files: [GeneratedFile]) -> InputFingerprint {
        InputFingerprint(schema: files.flatMap(\.contents), source: "A.yaml", options: GenerationOptions())
    }

    private func plan(_ files: [GeneratedFile], force: Bool = false) throws -> OutputPlan {
        OutputPlan(
            files, over: try folder.read(for: files, removesUnlistedSchemas: true), force: force,
            inputs: ["Journal": input(files)])
    }

    private func run(_ files: [GeneratedFile], force: Bool = false) throws {
        try folder.writing { try folder.apply(try plan(files, force: force)) }
    }

    /// A run in which operations fail; returns its error, if it throws one.
    private func run(_ files: [GeneratedFile], _ failing: Failing) throws -> OutputError? {
        try FileSystem.$faults.withValue(failing) {
            do {
                try run(files)
                return nil
            } catch let error as OutputError {
                return error
            }
        }
    }

    /// All files, including manifests and staging folders.
    private func contents() throws -> [String: String] {
        var contents = try disk.files()
        for name in try FileManager.default.subpathsOfDirectory(atPath: disk.path) where name.hasSuffix("-manifest") {
            contents[name] = try disk.text(name)
        }
        return contents
    }

    /// When each file was written; the modification dates of folders change anyway.
    private func fileDates() throws -> [String: Date] {
        try disk.modificationDates().filter { $0.key.hasSuffix(".swift") }
    }

    /// The output of a run into an empty folder.
    private func fresh(_ files: [GeneratedFile]) throws -> [String: String] {
        let other = try OutputRecoveryTests()
        try other.run(files)
        return try other.contents()
    }

    @Test(
        "Whichever disk operation fails, everything is unchanged, or everything is done",
        arguments: [ENOSPC, EACCES, EXDEV])
    func oneFailure(number: Int32) throws {
        try run(old)
        let wanted = try fresh(new)
        var failures = 0
        var isAtEnd = false
        while !isAtEnd {
            let before = try contents()
            let dates = try fileDates()
            let failing = Failing { [failures] in $0 == failures + 1 ? number : 0 }
            let error = try run(new, failing)
            isAtEnd = failing.changes <= failures
            failures += 1
            if let error {
                #expect(try contents() == before, "\(failures)")
                #expect(try fileDates() == dates)
                #expect(error.problem.contains(String(cString: strerror(number))))
                #expect(!error.problem.contains("put back"))
            } else {
                // A failed cleanup is not an error, and is repeated by the next run.
                try run(new)
                #expect(try contents() == wanted, "\(failures)")
                try run(old)
            }
        }
        #expect(failures > 40)
    }

    @Test("Whenever a run ends, the next one of any schema has the result of a fresh one, and a check is correct")
    func anyEnd() throws {
        let wanted = [try fresh(old), try fresh(new), try fresh(third)]
        for (next, wanted) in zip([old, new, third], wanted) {
            var end = 1
            var isAtEnd = false
            while !isAtEnd {
                let test = try OutputRecoveryTests()
                try test.run(old)
                let failing = Failing { [end] in $0 >= end ? EIO : 0 }
                _ = try test.run(new, failing)
                isAtEnd = failing.changes < end
                let found = try test.contents()
                let isUpToDate = try test.folder.reading { try test.plan(next).isUpToDate }
                #expect(isUpToDate == (found == wanted), "\(end)")
                #expect(try test.plan(next).conflicts == [])
                #expect(try test.contents() == found)
                let isKnown = test.folder.unchangedCount(for: [test.input(next)], removesUnlistedSchemas: false) != nil
                #expect(!isKnown || !found.keys.contains { $0.contains("staging") })
                try test.run(next)
                let now = try test.contents()
                #expect(Set(now.keys).symmetricDifference(wanted.keys) == [], "\(end)")
                #expect(now == wanted, "\(end)")
                end += 1
            }
            #expect(end > 40)
        }
    }

    /// Ends a run of `new` over `old` when everything is decided and no file was moved yet.
    private func interrupt() throws {
        try run(old)
        FileSystem.$faults.withValue(AfterTheJournal()) {
            _ = #expect(throws: OutputError.self) { try run(new) }
        }
        let staging = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
        #expect(staging.count == 1)
    }

    /// Fails every operation from the first move after the journal was written.
    private final class AfterTheJournal: FileSystemFaults {
        private let isDecided = Locked(false)

        func errorNumber(before change: FileSystem.Change, at path: String) -> Int32 {
            isDecided.withLock { isDecided in
                if isDecided { return EIO }
                isDecided = change == .move
                return 0
            }
        }
    }

    @Test("A file edited after the kill is kept and reported, even if the killed run would have replaced it")
    func editedMeanwhile() throws {
        try interrupt()
        try disk.write("Generated/Journal/Entry.swift", "mine")
        try disk.write("Generated/Journal/Note.swift", "mine")
        try disk.write("Generated/Journal/Mood.swift", "mine")
        #expect(throws: OutputError.self) { try run(third) }
        for name in ["Entry", "Note", "Mood"] { #expect(try disk.text("Generated/Journal/\(name).swift") == "mine") }
        #expect(
            try plan(third).conflicts.map(\.path).sorted() == ["Journal/Entry.swift", "Journal/Note.swift"])
        #expect(try !contents().keys.contains { $0.contains("staging") })
    }

    @Test("A check reports that a run was interrupted, and the state of the folder once that is finished")
    func look() throws {
        try interrupt()
        let found = try contents()
        let plan: OutputPlan = try folder.reading { try self.plan(new) }
        #expect(plan.findings.map(\.kind) == [.interrupted])
        #expect(plan.findings.first?.diff() == "")
        #expect(try folder.hasEarlierOutput())
        #expect(try self.contents() == found)
        var notices: [OutputNotice] = []
        try folder.writing(notify: { notices.append($0) }) {}
        #expect(notices == [.finishedInterruptedRun])
        #expect(try contents() == fresh(new))
    }

    @Test("An invalid or truncated journal is not trusted; one of a newer lockstep stops the run")
    func damagedJournal() throws {
        for journal in ["", "garbage\n", "lockstep journal 1\nremove 0000000000000000 Journal/Entry.swift\n"] {
            let test = try OutputRecoveryTests()
            try test.run(old)
            try test.disk.write("Generated/.lockstep-staging-7/journal", journal)
            try test.run(old)
            #expect(try test.contents() == fresh(old))
        }
        try disk.write("Generated/.lockstep-staging-7/journal", "lockstep journal 2\nend\n")
        let error = #expect(throws: OutputError.self) { try run(old) }
        #expect(error?.code == .newerManifest)
    }

    @Test("A journal cannot change files outside the folder, or files that it does not describe correctly")
    func hostileJournal() throws {
        try run(old)
        try disk.write("precious", "precious")
        try disk.write("Generated/Mine.txt", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: disk.path + "/Generated/Journal/link", withDestinationPath: disk.path)
        let hash = ContentHash(Array("precious".utf8)).digits
        for path in ["../precious", "Journal/link/precious", "/precious", "Journal/../../precious"] {
            try disk.write(
                "Generated/.lockstep-staging-7/journal", "lockstep journal 1\nremove \(hash) \(path)\nend\n")
            try folder.writing {}
            #expect(try disk.text("precious") == "precious")
        }
        try disk.write(
            "Generated/.lockstep-staging-7/journal",
            "lockstep journal 1\nremove 0000000000000000 Mine.txt\nput 1 nothing Mine.txt\nend\n")
        try disk.write("Generated/.lockstep-staging-7/1", "evil")
        try folder.writing {}
        #expect(try disk.text("Generated/Mine.txt") == "precious")
    }

    @Test("The user's folders with similar names are kept, and so are other files in ours")
    func personsFolders() throws {
        try disk.write("Generated/.lockstep-staging/a", "mine")
        try disk.write("Generated/.lockstep-staging-x/a", "mine")
        try disk.write("Generated/.lockstep-staging-7/mine", "mine")
        try run(old)
        for path in [".lockstep-staging/a", ".lockstep-staging-x/a", ".lockstep-staging-7/mine"] {
            #expect(try disk.text("Generated/" + path) == "mine")
        }
    }

    @Test("The output folder and a schema's folder can be links, even to another disk")
    func links() throws {
        let other = try TemporaryFolder()
        for name in ["Elsewhere/Generated", "Journals"] { try other.makeFolder(name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path, withDestinationPath: other.path + "/Elsewhere/Generated")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Journal", withDestinationPath: other.path + "/Journals")
        try interrupt()
        try run(third)
        #expect(Set(try other.files().keys) == ["Journals/Entry.swift", "Journals/Same.swift"])
    }

    @Test("An output folder that is a dangling link, or a file, is reported")
    func noFolder() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: disk.path + "/nowhere")
        let link = #expect(throws: OutputError.self) { try run(old) }
        #expect(link?.code == .linkInTheWay)
        try disk.remove("Generated")
        try disk.write("Generated", "mine")
        let file = #expect(throws: OutputError.self) { try run(old) }
        #expect(file?.code == .inTheWay)
        #expect(try disk.text("Generated") == "mine")
    }

    @Test("One of two runs reports that it waits for the other, and then writes")
    func waiting() throws {
        try run(old)
        let (folder, third) = (folder, third)
        let (isWaiting, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let notices = Locked<[OutputNotice]>([])
        let text = try folder.writing {
            // On its own thread: it waits for this one.
            Thread.detachNewThread {
                func tell(_ notice: OutputNotice) {
                    notices.withLock { $0.append(notice) }
                    isWaiting.signal()
                }
                try? folder.writing(notify: tell) {
                    try folder.apply(OutputPlan(third, over: try folder.read(for: third)))
                }
                isDone.signal()
            }
            isWaiting.wait()
            return try disk.text("Generated/Journal/Entry.swift")
        }
        isDone.wait()
        #expect(text.contains("entry"))
        #expect(notices.withLock { $0 } == [.waiting])
        #expect(try disk.text("Generated/Journal/Entry.swift").contains("third"))
    }

    @Test("If nothing is written, nothing is left, not even the folder")
    func nothing() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try folder.writing { throw Refusal() } }
        try folder.reading {}
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    }
}
