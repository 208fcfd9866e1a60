import Foundation
import LockstepSystem
import LockstepTables

extension HTTPBody {
    /// A collection without the key that each of its elements is wrapped in: `[{"badge": {"id": 1}}]` becomes
    /// `[{"id": 1}]`. Anything else is unchanged.
    ///
    /// - Parameters:
    ///   - first: The bytes that were read already.
    ///   - rest: The remaining ones.
    static func unwrappingElements(_ key: String, first: Data, rest: HTTPBody) -> HTTPBody {
        let unwrapping = Locked(ElementUnwrapping(key))
        let begun = Locked(first)
        return HTTPBody(
            AsyncThrowingStream {
                let beginning = begun.withLock { first in
                    defer { first = Data() }
                    return unwrapping.withLock { $0.feed(first) }
                }
                if !beginning.isEmpty { return beginning }
                // Each iterator continues where the last one has ended.
                var pieces = rest.makeAsyncIterator()
                while let piece = try await pieces.next() {
                    let read = unwrapping.withLock { $0.feed(piece) }
                    if !read.isEmpty { return read }
                }
                let end = unwrapping.withLock { $0.takeRest() }
                return end.isEmpty ? nil : end
            })
    }
}

/// Removes the key that each element of a list is wrapped in, while the list is received.
///
/// Only elements are held, one at a time. The list is the whole body, or a member of the object that is the body. If
/// its first element is not wrapped, the rest is passed on unread. What is not JSON is passed on for the merge to
/// report.
struct ElementUnwrapping {
    private let key: String
    private var depth = 0
    /// The depth of the list's elements; `nil` outside of a list.
    private var elementDepth: Int?
    private var isInString = false
    private var isEscaped = false
    private var element = Data()
    /// Whether nothing is unwrapped any more.
    private var isDone = false

    init(_ key: String) { self.key = key }

    /// Returns what is held when the body ends.
    mutating func takeRest() -> Data {
        defer { element = Data() }
        return element
    }

    mutating func feed(_ piece: Data) -> Data {
        if isDone { return piece }
        var passed = Data()
        passed.reserveCapacity(piece.count)
        for (index, byte) in piece.enumerated() {
            // Within an element, or in what is around the list.
            if let elementDepth, depth >= elementDepth || isElementStart(byte) {
                element.append(byte)
            } else {
                passed.append(byte)
            }
            track(byte)
            if let elementDepth, depth == elementDepth - 1, byte == UInt8(ascii: "}"), !isInString, !element.isEmpty {
                guard let record = unwrapped(element) else {
                    isDone = true
                    passed += element + piece.dropFirst(index + 1)
                    element = Data()
                    return passed
                }
                passed += record
                element = Data()
            }
        }
        return passed
    }

    private func isElementStart(_ byte: UInt8) -> Bool {
        !isInString && byte == UInt8(ascii: "{") && depth + 1 == elementDepth
    }

    private mutating func track(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["):
            depth += 1
            if elementDepth == nil, depth <= 2 { elementDepth = depth + 1 }
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"):
            if depth + 1 == elementDepth { elementDepth = nil }
            depth -= 1
        case UInt8(ascii: "}"): depth -= 1
        default: break
        }
    }

    /// The record in an element, byte by byte; `nil` if it is not wrapped.
    private func unwrapped(_ element: Data) -> Data? {
        guard case .object(let members)? = try? JSONValue(json: element), members.count == 1,
            case .object? = members[key], let start = Self.startOfValue(in: element),
            let end = element.dropLast().lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return element[start...end]
    }

    /// The index of the object under the first key.
    private static func startOfValue(in element: Data) -> Data.Index? {
        guard var index = element.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        repeat {
            index += element[index] == UInt8(ascii: "\\") ? 2 : 1
            guard index < element.endIndex else { return nil }
        } while element[index] != UInt8(ascii: "\"")
        return element[index...].firstIndex(of: UInt8(ascii: "{"))
    }
}
