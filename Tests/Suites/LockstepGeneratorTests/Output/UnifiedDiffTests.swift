import LockstepGenerator
import Testing

@Suite("A unified diff")
struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> String {
        unifiedDiff(old: Array(old.utf8), new: Array(new.utf8), oldLabel: "a/x", newLabel: "b/x")
    }

    /// Lines of one letter each.
    private func lines(_ letters: String) -> String {
        letters.map { "\($0)\n" }.joined()
    }

    @Test("Equal texts have no diff")
    func equal() {
        #expect(diff("a\n", "a\n") == "")
    }

    @Test("A change is shown with three lines of context")
    func change() {
        #expect(
            diff(lines("abcdefghi"), lines("abcdEfghi")) == """
                --- a/x
                +++ b/x
                @@ -2,7 +2,7 @@
                 b
                 c
                 d
                -e
                +E
                 f
                 g
                 h

                """
        )
    }

    @Test("Distant changes have a hunk each, close ones share one")
    func hunks() {
        #expect(
            diff(lines("abcdefghijklmnopqr"), lines("Abcdefghiklmnoxpqr")) == """
                --- a/x
                +++ b/x
                @@ -1,4 +1,4 @@
                -a
                +A
                 b
                 c
                 d
                @@ -7,12 +7,12 @@
                 g
                 h
                 i
                -j
                 k
                 l
                 m
                 n
                 o
                +x
                 p
                 q
                 r

                """
        )
    }

    @Test("A new file, a removed one, and an end without a line feed")
    func ends() {
        #expect(diff("", "a\nb\n") == "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n")
        #expect(diff("a\n", "") == "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n")
        #expect(
            diff("a", "a\n") == "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
        )
    }

    @Test("Applying it results in the new text", arguments: 0..<200)
    func random(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let old = (0..<next(60)).map { _ in "\(next(8))\n" }
        let new = old.flatMap { line in
            switch next(6) {
            case 0: [String]()
            case 1: [line, "\(next(8))\n"]
            default: [line]
            }
        }
        #expect(applying(diff(old.joined(), new.joined()), to: old) == new)
    }

    @Test("Huge texts take limited time and a limited number of lines")
    func huge() {
        let old = (0..<200_000).map { "old \($0)\n" }.joined()
        let new = (0..<200_000).map { "new \($0)\n" }.joined()
        let text = diff(old, new)
        #expect(text.hasSuffix("… and 398000 more lines\n"))
        #expect(text.split(separator: "\n").count == 2_004)
    }

    /// The result of applying a patch to the old lines.
    private func applying(_ diff: String, to old: [String]) -> [String] {
        var result: [String] = []
        var next = 0
        for line in diff.split(separator: "\n").dropFirst(2) {
            switch line.first {
            case "@":
                let numbers = line.split(separator: " ")[1].dropFirst().split(separator: ",").compactMap { Int($0) }
                let start = numbers.last == 0 && numbers.count == 2 ? numbers[0] : numbers[0] - 1
                result += old[next..<start]
                next = start
            case "+": result.append(line.dropFirst() + "\n")
            case "-": next += 1
            default:
                result.append(line.dropFirst() + "\n")
                next += 1
            }
        }
        return result + old[next...]
    }
}
