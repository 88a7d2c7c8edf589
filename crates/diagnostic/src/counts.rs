//! How many of what, in words.

/// `1 error`, `2 errors`, `16,384 vertices`.
pub fn counted(number: usize, what: &str) -> String {
    let number_text = grouped(number);
    match (number, what) {
        (1, _) => format!("{number_text} {what}"),
        (_, "vertex") => format!("{number_text} vertices"),
        (_, "mesh") => format!("{number_text} meshes"),
        _ => format!("{number_text} {what}s"),
    }
}

/// `16,384`
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stands_alone_and_thousands_are_told_apart() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "note"), "0 notes");
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(2, "mesh"), "2 meshes");
        assert_eq!(counted(16_384, "vertex"), "16,384 vertices");
    }
}
