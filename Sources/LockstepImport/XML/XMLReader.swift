import Foundation
import LockstepJSON

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads an XML file by events, within limits. A DOCTYPE is refused: no model has one, and the entities that it
/// declares can expand without bound.
final class XMLReader: NSObject, XMLParserDelegate {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 64 << 20
    /// The deepest element that is read.
    static let depthLimit = 64

    private let path: String
    private var root: XMLNode?
    private var open: [XMLNode] = []
    private var failure: ImportFailure?

    private init(path: String) { self.path = path }

    /// Returns the root element.
    ///
    /// - Throws: ``ImportFailure`` with the line, if the file is not well formed or exceeds a limit.
    static func read(_ data: Data, path: String) throws(ImportFailure) -> XMLNode {
        guard data.count <= sizeLimit else {
            throw ImportFailure(path, reason: "It has \(data.count) bytes; at most \(sizeLimit) are read.")
        }
        guard data.withUnsafeBytes({ index(of: 0, in: $0, from: 0) }) == nil,
            let text = String(data: data, encoding: .utf8)
        else { throw ImportFailure(path, reason: "It is not UTF-8 text.") }
        // What follows is in another one, also a DOCTYPE.
        if let encoding = encoding(in: text), !["UTF-8", "US-ASCII"].contains(encoding.uppercased()) {
            throw ImportFailure(
                path, line: 1,
                reason: "It declares the encoding '\(encoding.visible)'; only UTF-8 is read. Save it as UTF-8.")
        }
        if let line = data.withUnsafeBytes(lineOfDocumentType) {
            throw ImportFailure(
                path, line: line, reason: "It has a DOCTYPE, which a Core Data model does not have. Remove it.")
        }
        let reader = XMLReader(path: path)
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isRead = parser.parse()
        if let failure = reader.failure { throw failure }
        guard isRead, let root = reader.root, reader.open.isEmpty else {
            throw ImportFailure(
                path, line: max(parser.lineNumber, 1),
                reason: "It is not well-formed XML. Open it in Xcode, or get it from Git again.")
        }
        return root
    }

    /// What `<?xml version="1.0" encoding="UTF-8"?>` declares; `nil` without an encoding.
    private static func encoding(in text: String) -> Substring? {
        guard let start = text.firstIndex(of: "<"), text[start...].hasPrefix("<?xml") else { return nil }
        let declaration = text[start...].prefix { $0 != ">" }
        return declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)/)?.1
    }

    /// The line of the first `<!DOCTYPE`; `nil` without one. Few bytes are exclamation marks, so these are searched.
    private static func lineOfDocumentType(in bytes: UnsafeRawBufferPointer) -> Int? {
        var next = 0
        while let mark = index(of: UInt8(ascii: "!"), in: bytes, from: next) {
            next = mark + 1
            guard mark > 0, bytes[mark - 1] == UInt8(ascii: "<"), bytes[next...].starts(with: "DOCTYPE".utf8)
            else { continue }
            return bytes[..<mark].count { $0 == UInt8(ascii: "\n") } + 1
        }
        return nil
    }

    private static func index(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private func stop(_ parser: XMLParser, reason: String) {
        if failure == nil { failure = ImportFailure(path, line: max(parser.lineNumber, 1), reason: reason) }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        guard open.count < Self.depthLimit else {
            return stop(parser, reason: "Its elements are nested more than \(Self.depthLimit) deep.")
        }
        open.append(
            XMLNode(name: name, attributes: attributes.map { ($0.key, $0.value) }, line: parser.lineNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let node = open.popLast() else { return }
        if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
    }
}
