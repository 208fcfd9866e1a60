import Foundation

/// The folder of a description, to which the files are confined that it refers to.
struct OpenAPIFolder {
    /// Why a file is not read.
    enum Refusal: String, Error {
        case unknown = "whose folder is unknown"
        case url = "which are named by a URL"
        case outside = "which are outside of its folder"
        case missing = "which do not exist"
        case otherKind = "which are no .yaml or .json files"

        /// What to do, besides bundling.
        var remedy: String {
            switch self {
            case .unknown: "Import the description as a file"
            case .url: "Save them in the folder and refer to the copies"
            case .outside: "Move them to the folder and correct the references"
            case .missing: "Correct the paths"
            case .otherKind: "Save them as YAML or JSON"
            }
        }
    }

    /// Without links, and with a slash at the end.
    private let path: String
    /// The description, without links.
    let file: String

    init?(of file: String) {
        let folder = (file as NSString).deletingLastPathComponent
        guard let path = Self.real(folder.isEmpty ? "." : folder), let file = Self.real(file) else { return nil }
        self.path = path == "/" ? path : path + "/"
        self.file = file
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The file that a reference means.
    ///
    /// - Parameter origin: The file with the reference, as a path in the folder.
    /// - Returns: The path without links, and its part in the folder: a file that links lead to is read once.
    func find(_ reference: String, from origin: String) -> Result<(path: String, name: String), Refusal> {
        if reference.hasPrefix("//") || reference.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]+:/) != nil {
            return .failure(.url)
        }
        guard let plain = reference.removingPercentEncoding, !plain.contains("\0"), !plain.contains("\\"),
            !plain.hasPrefix("/")
        else { return .failure(.outside) }
        var parts = origin.split(separator: "/").dropLast()
        for part in plain.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                return .failure(.outside)
            }
        }
        let name = parts.joined(separator: "/")
        guard ["yaml", "yml", "json"].contains((name as NSString).pathExtension.lowercased()) else {
            return .failure(.otherKind)
        }
        guard let real = Self.real(path + name) else { return .failure(.missing) }
        guard real.hasPrefix(path) || real == file else { return .failure(.outside) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: real)
        return attributes?[.type] as? FileAttributeType == .typeRegular
            ? .success((real, String(real.dropFirst(path.count)))) : .failure(.otherKind)
    }
}
