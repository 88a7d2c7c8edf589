//! Signs: those of operators, and those that look like them.

use super::tree::Operator;

/// By its first character, and whether `=` follows.
pub(super) fn operator(symbol: char, followed: bool) -> Option<Operator> {
    Some(match (symbol, followed) {
        ('+', _) => Operator::Add,
        ('-' | '−', _) => Operator::Subtract,
        ('*', _) => Operator::Multiply,
        ('/', _) => Operator::Divide,
        ('^', _) => Operator::Power,
        ('<', false) => Operator::Less,
        ('<', true) | ('≤', false) => Operator::LessOrEqual,
        ('>', false) => Operator::Greater,
        ('>', true) | ('≥', false) => Operator::GreaterOrEqual,
        ('=', true) => Operator::Equal,
        ('!', true) | ('≠', false) => Operator::NotEqual,
        _ => return None,
    })
}

/// How tightly it binds to its left and to its right.
pub(super) fn powers(operator: Operator) -> (u8, u8) {
    match operator {
        Operator::Add | Operator::Subtract => (2, 2),
        Operator::Multiply | Operator::Divide => (4, 4),
        // To the right: 2^3^2 is 2^9; and 2^-1 works since operands may have a
        // sign.
        Operator::Power => (8, 7),
        _ => (1, 1),
    }
}

/// For signs that look right but are not plain ASCII.
pub(super) fn spelling(found: char) -> Option<&'static str> {
    Some(match found {
        '–' => "write - for minus",
        '·' | '×' => "write * for times",
        '÷' | ':' => "write / for divided by",
        '√' => "write sqrt(…)",
        '²' => "write ^2",
        '\'' | '"' => "write the name of a joint where a joint is asked for: weight(v2, 'neck')",
        '{' | '}' => "braces stand around the lines of a loop or an `if`",
        '=' => "write == to compare, or ; after what is put into a name",
        '!' => "write != to compare, or 1 - a for not",
        '&' => "write a * b where both must hold",
        '|' => "write max(a, b) where one must hold",
        '?' => "write if(condition, a, b)",
        ',' => {
            "write the point of a number as ., and arguments within the parentheses of a function"
        }
        _ => return None,
    })
}
