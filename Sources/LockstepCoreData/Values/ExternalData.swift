import Foundation
import GRDB
import LockstepSystem

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
        case file(OpenFile)
    }

    /// The folder of the store's file.
    private let folder: URL
    /// The names of the folders in it that lead to the external files.
    private let names: [String]

    init(of store: URL) {
        folder = store.deletingLastPathComponent()
        names = [".\(store.deletingPathExtension().lastPathComponent)_SUPPORT", "_EXTERNAL_DATA"]
    }

    func bytes(_ stored: Data) throws(Misfit) -> Bytes {
        guard let first = stored.first else { return .data(Data()) }
        switch first {
        case 1: return .data(Data(stored.dropFirst()))
        case 2:
            let text = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            // What is no UUID could be the path of any file.
            guard UUID(uuidString: text) != nil else { throw Misfit("it refers to an external file without a name") }
            return .file(try file(text))
        default: throw Misfit("it does not say whether it is stored externally")
        }
    }

    func data(_ stored: Data) throws(Misfit) -> Data {
        switch try bytes(stored) {
        case .data(let data): return data
        case .file(let file):
            guard let data = try? file.data() else {
                throw Misfit("its external file cannot be read")
            }
            return data
        }
    }

    /// Opens an external file. A link could lead to any file of the system, and a named pipe would be waited for.
    private func file(_ name: String) throws(Misfit) -> OpenFile {
        do { return try OpenFile(reading: names + [name], below: folder) } catch {
            let path = (names + [name]).reduce(folder) { $0.appendingPathComponent($1) }.path
            let isThere = (try? FileManager.default.attributesOfItem(atPath: path)) != nil
            throw Misfit(
                isThere
                    ? "its external file cannot be read: it must be a file, and no link"
                    : "its external file does not exist")
        }
    }
}
