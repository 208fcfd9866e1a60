/// `InvoiceLine` as `invoiceLine`.
func lowerCamelCase(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
}

/// `imageURL` as `image_url`, `InvoiceLine` as `invoice_line`.
func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (index, letter) in letters.enumerated() {
        let followsSmall = index > 0 && !letters[index - 1].isUppercase
        let startsWord = index > 0 && index + 1 < letters.count && letters[index + 1].isLowercase
        if letter.isUppercase, followsSmall || startsWord { result += "_" }
        result += letter.lowercased()
    }
    return result
}
