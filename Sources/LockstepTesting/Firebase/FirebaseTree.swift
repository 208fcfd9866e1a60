import Foundation
import LockstepStore
import LockstepSync

/// The form in which a Firebase-style server stores JSON: objects instead of arrays, and no empty values.
extension JSONValue {
    /// The value as it is stored; `null` if nothing is left. Arrays become objects whose keys are the indexes.
    ///
    /// - Parameter now: The value of `{".sv": "timestamp"}`.
    func keptByFirebase(now: Date) -> JSONValue {
        switch self {
        case .array(let elements):
            let members = elements.enumerated().map { (String($0), $1) }
            return JSONValue.object(JSONObject(members)).keptByFirebase(now: now)
        case .object(let members):
            if self == [".sv": "timestamp"] { return .integer(Int64(now.timeIntervalSince1970 * 1000)) }
            let kept = members.mapValues { $0.keptByFirebase(now: now) }.filter { $0.value != .null }
            return kept.isEmpty ? .null : .object(kept)
        default: return self
        }
    }

    /// The value as it is returned: an object whose keys are mostly indexes becomes an array, with gaps.
    ///
    /// The rule is that of the Firebase clients: all keys are whole numbers, and the largest is less than twice their
    /// number.
    var shownByFirebase: JSONValue {
        guard case .object(let members) = self else { return self }
        let indices = members.keys.compactMap(Self.arrayIndex)
        guard indices.count == members.count, let last = indices.max(), last < 2 * members.count else {
            return .object(members.mapValues(\.shownByFirebase))
        }
        return .array((0...last).map { members[String($0)]?.shownByFirebase ?? .null })
    }

    private static func arrayIndex(_ key: String) -> Int? {
        guard let index = Int(key), index >= 0, String(index) == key else { return nil }
        return index
    }

    /// The value at a path; `null` if there is none.
    func stored(at parts: some Sequence<String>) -> JSONValue {
        parts.reduce(self) { $0[$1] ?? .null }
    }

    /// Sets the stored value at a path. Its parents become objects, and are removed if they are empty.
    mutating func put(_ value: JSONValue, at parts: ArraySlice<String>) {
        guard let key = parts.first else { return self = value }
        guard case .object(var members) = self else {
            if value != .null {
                var member = JSONValue.null
                member.put(value, at: parts.dropFirst())
                self = .object([key: member])
            }
            return
        }
        // Released, so that a large tree is changed in place.
        self = .null
        var member = members.removeValue(forKey: key) ?? .null
        member.put(value, at: parts.dropFirst())
        if member != .null { members[key] = member }
        if !members.isEmpty { self = .object(members) }
    }

    /// Whether all keys are valid.
    var hasFirebaseKeys: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.hasFirebaseKeys)
        case .object(let members):
            members.allSatisfy { key, value in (key == ".sv" || Self.isFirebaseKey(key)) && value.hasFirebaseKeys }
        default: true
        }
    }

    /// No key has one of `. # $ [ ] /`, a control character, or more than 768 bytes.
    static func isFirebaseKey(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 768
            && key.unicodeScalars.allSatisfy {
                $0.value >= 32 && $0.value != 127 && !".#$[]/".unicodeScalars.contains($0)
            }
    }

    /// A digest of the value, the same for equal values. It need not be secure, so FNV-1a is sufficient.
    var firebaseTag: String {
        if self == .null { return "null_etag" }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (try? json()) ?? Data() { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return withUnsafeBytes(of: hash.bigEndian) { Data($0).base64EncodedString() }
    }
}
