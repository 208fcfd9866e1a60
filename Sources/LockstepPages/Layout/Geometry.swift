struct Point: Hashable {
    var x: Double
    var y: Double
}

struct Size: Hashable {
    var width: Double
    var height: Double
}

struct Rectangle: Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var midY: Double { y + height / 2 }
}
