import Foundation
import GRDB

/// Why a value is not one of the schema's attribute.
struct Misfit: Error, Hashable {
    /// Without the value itself.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The bytes of attributes that allow external storage.
///
/// The first byte of a value says where the bytes are: after 1 they follow, after 2 the name of their file follows, in
/// `.NAME_SUPPORT/_EXTERNAL_DATA` beside `NAME.sqlite`.
struct ExternalData {
    enum Bytes {
        case data(Data)
        case file(URL)
    }

    private let folder: URL

    init(of store: URL) {
        let name = store.deletingPathExtension().lastPathComponent
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    func bytes(_ stored: Data) throws(Misfit) -> Bytes {
        guard let first = stored.first else { return .data(Data()) }
        switch first {
        case 1: return .data(Data(stored.dropFirst()))
        case 2:
            let text = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            // What is no UUID could be the path of any file.
            guard UUID(uuidString: text) != nil else { throw Misfit("it refers to an external file without a name") }
            let file = folder.appendingPathComponent(text)
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw Misfit("its external file does not exist")
            }
            return .file(file)
        default: throw Misfit("it does not say whether it is stored externally")
        }
    }

    func data(_ stored: Data) throws(Misfit) -> Data {
        switch try bytes(stored) {
        case .data(let data): return data
        case .file(let url):
            guard let data = try? Data(contentsOf: url) else { throw Misfit("its external file cannot be read") }
            return data
        }
    }
}
