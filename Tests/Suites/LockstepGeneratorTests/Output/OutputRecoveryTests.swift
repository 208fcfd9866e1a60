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

    /// All files, including manifests and incomplete files, without empty folders.
    private func contents() throws -> [String: String] {
        var contents = try disk.files().filter { !$0.key.hasSuffix("/") }
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

    /// Whether each file is one of these runs' or incomplete, and the manifests accept all of them.
    private func expectWhole(_ runs: [[String: String]], _ comment: String) throws {
        let found = try contents()
        for (path, text) in found where !path.hasSuffix("-manifest") && !path.hasSuffix("-part") {
            #expect(runs.contains { $0[path] == text }, "\(comment): \(path)")
        }
        for files in [old, new, third] { #expect(try plan(files).conflicts == [], "\(comment)") }
    }

    @Test(
        "Whichever disk operation fails, each file is the old or the new one, and the next run writes the rest",
        arguments: [ENOSPC, EACCES, EXDEV])
    func oneFailure(number: Int32) throws {
        let wanted = try fresh(new)
        let former = try fresh(old)
        var failures = 0
        var isAtEnd = false
        while !isAtEnd {
            try run(old)
            let failing = Failing { [failures] in $0 == failures + 1 ? number : 0 }
            let error = try run(new, failing)
            isAtEnd = failing.changes <= failures
            failures += 1
            if let error { #expect(error.problem.contains(String(cString: strerror(number)))) }
            #expect(try !disk.files().keys.contains { $0.hasSuffix("-part") })
            try expectWhole([former, wanted], "\(failures)")
            try run(new)
            #expect(try contents() == wanted, "\(failures)")
        }
        #expect(failures > 30)
    }

    @Test("Whenever a run ends, the next one of any schema has the result of a fresh one, and a check is correct")
    func anyEnd() throws {
        let wanted = [try fresh(old), try fresh(new), try fresh(third)]
        for (next, fresh) in zip([old, new, third], wanted) {
            var end = 1
            var isAtEnd = false
            while !isAtEnd {
                let test = try OutputRecoveryTests()
                try test.run(old)
                let failing = Failing { [end] in $0 >= end ? EIO : 0 }
                _ = try test.run(new, failing)
                isAtEnd = failing.changes < end
                let found = try test.contents()
                try test.expectWhole(wanted, "\(end)")
                let isFresh = found.filter { !$0.key.hasSuffix("-part") } == fresh
                let isUpToDate = try test.folder.reading { try test.plan(next).isUpToDate }
                #expect(isUpToDate == isFresh, "\(end)")
                #expect(try test.contents() == found)
                let isKnown = test.folder.unchangedCount(for: [test.input(next)], removesUnlistedSchemas: true) != nil
                #expect(!isKnown || isFresh)
                try test.run(next)
                #expect(try test.contents() == fresh, "\(end)")
                end += 1
            }
            #expect(end > 30)
        }
    }

    /// Ends a run of `new` over `old` when one file is in its place, and another one is incomplete.
    private func interrupt() throws {
        try run(old)
        FileSystem.$faults.withValue(AfterTheFirstFile()) {
            _ = #expect(throws: OutputError.self) { try run(new) }
        }
        #expect(try disk.text("Generated/Journal/Entry.swift").contains("new"))
    }

    /// Fails every operation after the first file was moved to its place.
    private final class AfterTheFirstFile: FileSystemFaults {
        private let hasMoved = Locked(false)

        func errorNumber(before change: FileSystem.Change, at path: String) -> Int32 {
            hasMoved.withLock { hasMoved in
                if hasMoved { return EIO }
                hasMoved = change == .move && path.hasSuffix("Entry.swift")
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
            try plan(third).conflicts.map(\.path).sorted()
                == ["Journal/Entry.swift", "Journal/Mood.swift", "Journal/Note.swift"])
    }

    @Test("A check after a run that ended reports what is missing, and changes nothing")
    func look() throws {
        try interrupt()
        let found = try contents()
        let plan: OutputPlan = try folder.reading { try self.plan(new) }
        #expect(plan.findings.map(\.kind) == [.missing, .missing, .missing, .orphaned])
        #expect(try folder.hasEarlierOutput())
        #expect(try self.contents() == found)
        try run(new)
        #expect(try contents() == fresh(new))
    }

    @Test("An incomplete file of a killed run is removed by the next run, of any schema")
    func part() throws {
        try run(old)
        try disk.write("Generated/Journal/.lockstep-part", "half")
        try run(old)
        #expect(try contents() == fresh(old))
    }

    @Test("An incomplete file beside files that no run has written is kept: it may be that of runs of another folder")
    func othersPart() throws {
        try disk.write("Generated/Models/.lockstep-part", "half")
        try disk.write("Generated/Models/A.swift", "mine")
        try run(old)
        #expect(try disk.text("Generated/Models/.lockstep-part") == "half")
    }

    @Test("A schema whose name only changed its case is complete, also where the file system ignores case")
    func renamedByCase() throws {
        try run([generated("Journal/Entry.swift", "entry"), generated("Journal/Mood.swift", "mood")])
        // What such a file system does: both names lead to one folder.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/JOURNAL", withDestinationPath: folder.path + "/Journal")
        let files = [generated("JOURNAL/Entry.swift", "entry"), generated("JOURNAL/Mood.swift", "new")]
        try run(files)
        #expect(try disk.text("Generated/JOURNAL/Entry.swift").contains("entry"))
        #expect(try disk.text("Generated/JOURNAL/Mood.swift").contains("new"))
        #expect(try disk.text("Generated/JOURNAL/.lockstep-manifest").contains("Mood.swift"))
    }

    @Test("What the user has at the name of an incomplete file is kept")
    func personsPart() throws {
        try disk.write("precious", "precious")
        try run(old)
        try FileManager.default.createSymbolicLink(
            atPath: disk.path + "/Generated/Journal/.lockstep-part", withDestinationPath: disk.path + "/precious")
        let error = #expect(throws: OutputError.self) { try run(new) }
        #expect(error?.path.hasSuffix("Journal/.lockstep-part") == true)
        #expect(error?.code == .inTheWay)
        #expect(try disk.text("precious") == "precious")
        try disk.remove("Generated/Journal/.lockstep-part")
        try run(new)
        #expect(try contents()["Generated/Journal/Entry.swift"]?.contains("new") == true)
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
