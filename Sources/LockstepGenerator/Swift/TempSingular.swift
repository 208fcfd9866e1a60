func singular(_ s: String) -> String { s.hasSuffix("s") ? String(s.dropLast()) : s }
