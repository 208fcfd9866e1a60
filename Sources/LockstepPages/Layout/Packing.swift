/// Places rectangles beside and below each other without overlap: the tallest first, each as high up as it fits.
struct Packing {
    /// The upper left corners, by index.
    private(set) var origins: [Point]
    private(set) var size = Size(width: 0, height: 0)

    /// The lower edge of the placed rectangles, from left to right without gaps.
    private var skyline: [Segment]

    private struct Segment {
        var x: Double
        var y: Double
        var width: Double
    }

    /// - Parameter aspect: The preferred ratio of width to height.
    init(_ sizes: [Size], gap: Double, aspect: Double) {
        let area = sizes.reduce(0) { $0 + ($1.width + gap) * ($1.height + gap) }
        let widest = sizes.map(\.width).max() ?? 0
        let width = max(widest + gap, (area * aspect).squareRoot())
        origins = Array(repeating: Point(x: 0, y: 0), count: sizes.count)
        skyline = [Segment(x: 0, y: 0, width: width)]
        for index in sizes.indices.sorted(by: { (-sizes[$0].height, $0) < (-sizes[$1].height, $1) }) {
            let origin = place(Size(width: sizes[index].width + gap, height: sizes[index].height + gap))
            origins[index] = origin
            size.width = max(size.width, origin.x + sizes[index].width)
            size.height = max(size.height, origin.y + sizes[index].height)
        }
    }

    private mutating func place(_ size: Size) -> Point {
        let end = (skyline.last?.x ?? 0) + (skyline.last?.width ?? 0)
        let candidates = skyline.filter { $0.x + size.width <= end + 0.01 }
            .map { Point(x: $0.x, y: height(from: $0.x, to: $0.x + size.width)) }
        // The first segment always has space: the total width is at least that of the widest rectangle.
        let origin = candidates.min { ($0.y, $0.x) < ($1.y, $1.x) } ?? Point(x: 0, y: height(from: 0, to: end))
        cover(from: origin.x, to: origin.x + size.width, y: origin.y + size.height)
        return origin
    }

    private func height(from start: Double, to end: Double) -> Double {
        skyline.filter { $0.x < end - 0.01 && $0.x + $0.width > start + 0.01 }.map(\.y).max() ?? 0
    }

    private mutating func cover(from start: Double, to end: Double, y: Double) {
        var result: [Segment] = []
        for segment in skyline {
            if segment.x < start {
                let width = min(segment.width, start - segment.x)
                result.append(Segment(x: segment.x, y: segment.y, width: width))
            }
            let segmentEnd = segment.x + segment.width
            if segmentEnd > end {
                let x = max(segment.x, end)
                result.append(Segment(x: x, y: segment.y, width: segmentEnd - x))
            }
        }
        result.append(Segment(x: start, y: y, width: end - start))
        skyline = result.sorted { $0.x < $1.x }
    }
}
