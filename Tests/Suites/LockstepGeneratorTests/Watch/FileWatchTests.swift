import Foundation
import LockstepGenerator
import TestSupport
import Testing

@Suite("Watching files")
struct FileWatchTests {
    /// Runs a watch in which these states follow each other, one at each pause.
    private func runs(_ states: [Int], during action: (inout [Int]) -> Void = { _ in }) -> [Int] {
        var left = states
        var runs: [Int] = []
        let watch = FileWatch(
            state: { left[0] },
            output: { 0 },
            pause: {
                guard left.count > 1 else { return false }
                left.removeFirst()
                return true
            })
        watch.run {
            runs.append(left[0])
            action(&left)
            return 0
        }
        return runs
    }

    @Test("It acts at once, and after each change")
    func changes() {
        #expect(runs([1]) == [1])
        #expect(runs([1, 1, 1]) == [1])
        #expect(runs([1, 2, 2, 2, 3, 3]) == [1, 2, 3])
    }

    @Test("It waits until a file is written as a whole")
    func steps() {
        #expect(runs([1, 2, 3, 4, 4]) == [1, 4])
        // Written and undone before it was read.
        #expect(runs([1, 2, 1, 1]) == [1])
    }

    @Test("A change while it acts is not missed")
    func meanwhile() {
        let seen = runs([1, 2, 2, 2, 2]) { left in
            if left[0] == 2 { left = left.map { _ in 3 } }
        }
        #expect(seen == [1, 2, 3])
    }

    @Test("What the action writes is not a change; what others write there is")
    func output() {
        var (output, others) = (0, [0, 0, 0, 7, 0, 0])
        var runs: [Int] = []
        let watch = FileWatch(
            state: { 1 }, output: { output },
            pause: {
                guard !others.isEmpty else { return false }
                output += others.removeFirst()
                return true
            })
        watch.run {
            runs.append(output)
            output += 1
            return output
        }
        #expect(runs == [0, 8])
    }

    @Test("What others do to the output while the action ends is a change")
    func outputMeanwhile() {
        var (output, pauses) = (0, 3)
        var runs: [Int] = []
        let watch = FileWatch(
            state: { 1 }, output: { output },
            pause: {
                pauses -= 1
                return pauses >= 0
            })
        watch.run {
            runs.append(output)
            let read = output
            if runs.count == 1 { output = 5 }
            return read
        }
        #expect(runs == [0, 5])
    }

    @Test("The state of a file changes with its contents, its presence, and a file in its place")
    func states() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.yaml").path
            func write(_ text: String, modified seconds: Double) throws {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
            }
            let missing = FileStates(of: [path])
            try write("a", modified: 1000)
            let first = FileStates(of: [path])
            #expect(first != missing)
            #expect(FileStates(of: [path]) == first)
            try write("a", modified: 1001)
            #expect(FileStates(of: [path]) != first)
            try write("ab", modified: 1000)
            #expect(FileStates(of: [path]) != first)
            try FileManager.default.removeItem(atPath: path)
            #expect(FileStates(of: [path]) == missing)
        }
    }
}
