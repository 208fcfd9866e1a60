import Foundation

/// A value of a property list.
indirect enum PropertyValue {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    /// A reference in a keyed archive.
    case reference(Int)
    case array([Int])
    /// The indices of keys and of values.
    case dictionary([(key: Int, value: Int)])
}

/// The objects of a binary property list (`bplist00`), by index; containers refer to others by theirs.
///
/// Foundation reads these, too, but has no public way to the references of a keyed archive.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    let root: Int

    var byteCount: Int { bytes.count }

    /// More objects than an attribute reasonably has.
    private static let objectLimit = 1 << 20

    /// - Returns: `nil` if the data is something else, or damaged.
    init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard bytes.count >= 40, bytes.starts(with: "bplist00".utf8) else { return nil }
        let trailer = bytes.count - 32
        func number(_ offset: Int, size: Int) -> Int? { Self.number(bytes, at: trailer + offset, size: size) }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let count = number(8, size: 8),
            let root = number(16, size: 8), let table = number(24, size: 8), count > 0, count <= Self.objectLimit,
            root < count,
            table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
        else { return nil }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            guard let offset = Self.number(bytes, at: table + index * offsetSize, size: offsetSize), offset < table
            else {
                return nil
            }
            offsets.append(offset)
        }
        (self.bytes, self.offsets, self.referenceSize, self.root) = (bytes, offsets, referenceSize, root)
    }

    /// The object of an index; `nil` if it is damaged.
    subscript(index: Int) -> PropertyValue? {
        guard offsets.indices.contains(index) else { return nil }
        var position = offsets[index]
        guard let marker = byte(position) else { return nil }
        position += 1
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return marker == 0x08 ? .bool(false) : marker == 0x09 ? .bool(true) : marker == 0 ? .null : nil
        case 0x1: return integer(position, power: low)
        case 0x2: return real(position, power: low).map(PropertyValue.real)
        case 0x3: return real(position, power: low).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case 0x8: return Self.number(bytes, at: position, size: low + 1).map(PropertyValue.reference)
        default: break
        }
        guard let count = count(low, at: &position) else { return nil }
        switch marker >> 4 {
        case 0x4: return slice(position, count: count).map { .data(Data($0)) }
        case 0x5: return slice(position, count: count).map { .string(String(decoding: $0, as: UTF8.self)) }
        case 0x6:
            guard let units = slice(position, count: count, width: 2) else { return nil }
            let text = stride(from: units.startIndex, to: units.endIndex, by: 2).map {
                UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
            }
            return .string(String(decoding: text, as: UTF16.self))
        case 0xA, 0xC: return references(position, count: count).map(PropertyValue.array)
        case 0xD:
            guard let all = references(position, count: count * 2) else { return nil }
            return .dictionary((0..<count).map { (all[$0], all[$0 + count]) })
        default: return nil
        }
    }

    private func byte(_ position: Int) -> UInt8? { bytes.indices.contains(position) ? bytes[position] : nil }

    private static func number(_ bytes: [UInt8], at position: Int, size: Int) -> Int? {
        guard position >= 0, size <= 8, position + size <= bytes.count else { return nil }
        let value = bytes[position..<position + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private func integer(_ position: Int, power: Int) -> PropertyValue? {
        switch power {
        case 0...2: return Self.number(bytes, at: position, size: 1 << power).map { .integer(Int64($0)) }
        // Eight bytes are signed, fewer are not.
        case 3:
            guard let eight = slice(position, count: 8) else { return nil }
            return .integer(Int64(bitPattern: eight.reduce(0) { $0 << 8 | UInt64($1) }))
        default: return nil
        }
    }

    private func real(_ position: Int, power: Int) -> Double? {
        guard power == 2 || power == 3, let slice = slice(position, count: 1 << power) else { return nil }
        let bits = slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return power == 2 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }

    /// A count of 15 is an integer that follows.
    private func count(_ low: Int, at position: inout Int) -> Int? {
        guard low == 0x0F else { return low }
        guard let marker = byte(position), marker >> 4 == 1, marker & 0x0F <= 3 else { return nil }
        let size = 1 << Int(marker & 0x0F)
        guard let count = Self.number(bytes, at: position + 1, size: size), count <= bytes.count else { return nil }
        position += 1 + size
        return count
    }

    private func slice(_ position: Int, count: Int, width: Int = 1) -> ArraySlice<UInt8>? {
        guard count <= (bytes.count - position) / width else { return nil }
        return bytes[position..<position + count * width]
    }

    private func references(_ position: Int, count: Int) -> [Int]? {
        guard count <= (bytes.count - position) / referenceSize else { return nil }
        var references: [Int] = []
        references.reserveCapacity(count)
        for index in 0..<count {
            guard let reference = Self.number(bytes, at: position + index * referenceSize, size: referenceSize) else {
                return nil
            }
            references.append(reference)
        }
        return references
    }
}
