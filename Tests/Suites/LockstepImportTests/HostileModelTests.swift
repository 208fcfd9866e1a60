import Foundation
import LockstepImport
import Testing

@Suite("Files that are no usable models")
struct HostileModelTests {
    private func failure(_ contents: String) throws -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try importing(contents) }
    }

    @Test("XML that breaks off names the line")
    func truncated() throws {
        let text = model("<entity name=\"Item\">")
        let failure = try #require(try failure(text))
        #expect(failure.line == 4)
        #expect(failure.reason.contains("not well-formed"))
        #expect(failure.path.hasSuffix("Shop.xcdatamodel/contents"))
    }

    @Test(
        "Entities are refused before they expand",
        arguments: [
            "<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">",
            "<!ENTITY a SYSTEM \"file:///etc/passwd\">",
        ])
    func entities(declarations: String) throws {
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE model [\(declarations)]>
            <model><entity name="&a;"/></model>
            """
        let failure = try #require(try failure(text))
        #expect(failure.line == 2)
        #expect(failure.reason.contains("It has a DOCTYPE"))
    }

    @Test("Elements nested very deep are refused")
    func deep() throws {
        let depth = 100_000
        let text = String(repeating: "<a>\n", count: depth) + String(repeating: "</a>", count: depth)
        let failure = try #require(try failure(text))
        #expect(failure.line == 65)
        #expect(failure.reason.contains("nested more than 64 deep"))
    }

    @Test("A file above the limit is refused")
    func large() throws {
        var data = Data("<model>".utf8)
        data.append(Data(repeating: UInt8(ascii: " "), count: 64 << 20))
        let failure = try #require(#expect(throws: ImportFailure.self) { try importing(data) })
        #expect(failure.reason.contains("at most 67108864"))
    }

    @Test("Other XML, other files and empty ones are refused with what is expected")
    func others() throws {
        #expect(try failure("<html><body/></html>")?.reason.contains("begins with <html>") == true)
        #expect(try failure("")?.reason.contains("not well-formed") == true)
        #expect(try failure("\u{0}\u{1}bplist00")?.reason.contains("is not UTF-8 text") == true)
        #expect(try failure("<model/>")?.reason == "The model has no entity.")
    }

    @Test(
        "XML that is not well formed is refused",
        arguments: [
            "<model><entity name=\"A\"></model>", "text<model/>",
            "<model><entity name=A/></model>",
            "<model><entity name=\"A/></model>", "<model><entity name=\"<\"/></model>",
            "<model><entity name=\"&a;\"/></model>", "<model><entity name=\"&#xD800;\"/></model>",
            "<model><entity name=\"&#0;\"/></model>", "<model><entity name=\"\u{1}\"/></model>",
            "<model><entity name=\"&amp\"/></model>", "<model><entity name/></model>", "<model", "<model><!-- ",
            "< model/>",
            "<model><1/></model>", "<![CDATA[a]]><model/>",
        ])
    func malformed(text: String) throws {
        #expect(try failure(text)?.reason.contains("not well-formed") == true)
    }

    @Test("Two entities of one name, and one without a name, are refused with the lines")
    func names() throws {
        let twice = try failure(model("<entity name=\"Item\"/>\n<entity name=\"Item\"/>"))
        #expect(twice?.line == 4)
        #expect(twice?.reason == "There are two entities 'Item', the first in line 3. Rename one.")
        #expect(try failure(model("<entity/>"))?.reason.contains("has no name") == true)
    }

    @Test("An entity that is its own ancestor loses that parent")
    func loop() throws {
        let imported = try importing(
            model("<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>"))
        #expect(imported.report.notes.contains { $0.text == "B: its parent 'A' is one of its own descendants" })
    }

    @Test("Paths that are missing or not recognized are refused")
    func paths() throws {
        func failure(_ path: String) -> String? {
            #expect(throws: ImportFailure.self) {
                try importSchema([ImportInput(path: path)], options: ImportOptions())
            }?.reason
        }
        #expect(failure("/nowhere/Shop.xcdatamodeld") == "There is no such file. Check the path.")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(failure(folder.path)?.contains("is not recognized") == true)
    }

    @Test(
        "A file in another encoding than UTF-8 is refused before its DOCTYPE is read",
        arguments: ["UTF-7", "IBM037", "utf-7", "UTF-16", "ISO-8859-1"])
    func encodings(encoding: String) throws {
        let text = "<?xml version='1.0' encoding = '\(encoding)'?>\n+ADw-!DOCTYPE model+AD4-<model/>"
        let failure = try #require(try failure(text))
        #expect(failure.line == 1)
        #expect(failure.reason.hasPrefix("It declares the encoding '\(encoding)'; only UTF-8 is read."))
    }

    @Test("The encodings that a model can have are read", arguments: ["utf-8", "US-ASCII", "us-ascii"])
    func ownEncodings(encoding: String) throws {
        let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<model><entity name=\"Item\"/></model>"
        #expect(try importing(text).text.contains("  Item:\n"))
    }

    @Test("Bytes that are no UTF-8 are refused")
    func otherBytes() throws {
        // The `<?xm` of EBCDIC.
        let data = Data([0x4C, 0x6F, 0xA7, 0x94])
        let failure = try #require(#expect(throws: ImportFailure.self) { try importing(data) })
        #expect(failure.reason.contains("is not UTF-8 text"))
    }

    @Test("Names that are too long are refused with their line")
    func longNames() throws {
        let name = String(repeating: "a.", count: 501)
        for entity in [
            "<entity name=\"\(name)\"/>", "<entity name=\"A\"><attribute name=\"\(name)\"/></entity>",
            "<entity name=\"A\"><relationship name=\"\(name)\"/></entity>",
        ] {
            let failure = try failure(model(entity))
            #expect(failure?.line == 3)
            #expect(failure?.reason.hasSuffix("has 1002 bytes; at most 1000 are read. Shorten it.") == true)
        }
    }

    @Test("A relationship that inheritance multiplies too often is refused with its line")
    func manyKinds() throws {
        func entities(_ count: Int) -> String {
            let children = (0..<count).map { "<entity name=\"C\($0)\" parentEntity=\"R\"/>" }.joined()
            return "<entity name=\"R\" isAbstract=\"YES\">\n<relationship name=\"r\" toMany=\"YES\" "
                + "destinationEntity=\"R\"/></entity>\(children)"
        }
        let failure = try failure(model(entities(101)))
        #expect(failure?.line == 4)
        #expect(failure?.reason.hasPrefix("R.r becomes 10201 relationships, one between each two kinds") == true)
        #expect(try importing(model(entities(20))).report.counts.relationships == 800)
    }
}
