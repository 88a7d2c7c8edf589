//! Numbers and names in words, as several cells write them.

use bindpose_notebook::number_text;
use bindpose_skin::JointIndex;

/// A factor: in parentheses when negative, as between other operators.
pub(super) fn factor(value: f32, decimals: usize) -> String {
    let text = number_text::fixed(f64::from(value), decimals);
    if text.starts_with(number_text::MINUS) { format!("({text})") } else { text }
}

/// A joint's number in subscript figures.
pub(super) fn subscript(joint: JointIndex) -> String {
    let number = joint.0.to_string();
    let figures = number.bytes();
    figures.filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0'))).collect()
}
