extension JSONScanner {
    /// Scans any value, and validates all of it. It does not use recursion.
    package mutating func skipValue() throws(JSONSyntaxError) {
        let outside = depth
        var containers = ContainerStack()
        while true {
            switch peek() {
            case UInt8(ascii: "\""): _ = try text()
            case UInt8(ascii: "{"):
                try open(UInt8(ascii: "{"))
                containers.push(isObject: true)
                if try !isClosed(UInt8(ascii: "}"), isFirst: true) {
                    _ = try key()
                    continue
                }
                containers.pop()
            case UInt8(ascii: "["):
                try open(UInt8(ascii: "["))
                containers.push(isObject: false)
                if try !isClosed(UInt8(ascii: "]"), isFirst: true) { continue }
                containers.pop()
            case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
            case UInt8(ascii: "n"): _ = try null()
            default: _ = try number()
            }
            if try isComplete(downTo: outside, containers: &containers) { return }
        }
    }

    /// Scans what follows a value: the ends of arrays and objects, then the comma and, in an object, the next key.
    ///
    /// - Returns: Whether the outermost value has ended.
    @inline(__always)
    private mutating func isComplete(
        downTo outside: Int, containers: inout ContainerStack
    ) throws(JSONSyntaxError) -> Bool {
        while depth > outside {
            let isObject = containers.isObject
            guard try isClosed(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), isFirst: false) else {
                if isObject { _ = try key() }
                return false
            }
            containers.pop()
        }
        return true
    }
}

/// Which of the open containers are objects, with a bit for each: the innermost is the lowest bit.
private struct ContainerStack {
    private var innermost: UInt64 = 0
    private var count = 0
    /// The bits of the outer ones, 64 at a time.
    private var outer: [UInt64] = []

    var isObject: Bool { innermost & 1 == 1 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if count > 0, count & 63 == 0 { outer.append(innermost) }
        innermost = innermost << 1 | (isObject ? 1 : 0)
        count += 1
    }

    @inline(__always)
    mutating func pop() {
        count -= 1
        innermost >>= 1
        if count > 0, count & 63 == 0 { innermost = outer.removeLast() }
    }
}
