import Foundation
import LockstepJSON
import LockstepSchema

/// Sample JSON: what a server sends.
struct SampleImporter: SchemaImporter {
    let title = "sample JSON (.json, .jsonl)"
    let takesSeveral = true

    /// The keys at the top of documents that describe an API or a schema.
    private static let described: Set<String> = ["openapi", "swagger", "$schema"]

    func recognizes(_ input: ImportInput) -> Bool {
        if input.isFolder { return false }
        let bytes = input.beginning()
        if let key = Self.topKeys(bytes).first(where: Self.described.contains) { return key.isEmpty }
        let isNamed = ["json", "jsonl", "ndjson"].contains((input.path as NSString).pathExtension.lowercased())
        let text = String(decoding: bytes.drop { [0xEF, 0xBB, 0xBF].contains($0) }, as: UTF8.self)
            .drop { $0.isWhitespace }
        let isPage = ["<!doctype html", "<html"].contains { text.prefix($0.count).lowercased() == $0 }
        return isNamed || isPage || text.hasPrefix("{") || text.hasPrefix("[")
    }

    /// The keys of the object that bytes begin with, as far as they go.
    private static func topKeys(_ bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            guard scanner.peek() == UInt8(ascii: "{") else { return [] }
            var keys: [String] = []
            do {
                try scanner.open(UInt8(ascii: "{"))
                while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: keys.isEmpty) {
                    keys.append(try scanner.key().string)
                    try scanner.skipValue()
                }
            } catch { return keys }
            return keys
        }
    }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        var files: [SampleFile] = []
        // Files of different folders can have the same name.
        let haveNames = Set(inputs.map(\.name)).count == inputs.count
        for (index, input) in inputs.enumerated() {
            let values = try SampleReader.read(input.read(), path: input.path)
            if let key = values.first?.members?.first(where: { Self.described.contains($0.key) }) {
                throw ImportFailure(
                    input.path, line: key.value.line,
                    reason: "It describes an API or a schema ('\(key.key)'), and is not a sample. "
                        + "Save a response of the server.")
            }
            let own = input.baseName ?? options.name ?? "Item"
            files.append(
                SampleFile(
                    index: index, path: input.path, name: haveNames ? input.name : input.path,
                    entity: SampleNames.entity(own), values: values))
        }
        let base = inputs.count == 1 ? inputs[0].baseName : nil
        let name = UsableName.type(options.name ?? base ?? "Server")
        let sketch = try SampleSketch(files, name: name)
        var imported = try sketch.imported(from: files.map(\.name).joined(separator: ", "))
        if options.keepsSamples { imported.samples = sketch.samples }
        return imported
    }
}
