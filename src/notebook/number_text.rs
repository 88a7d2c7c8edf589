//! Numbers as text: on screen with a true minus and fixed decimals, and
//! matrices in the notations of the programs they are pasted into.

use glam::Mat4;

/// U+2212, as wide as a digit in every tabular face.
pub const MINUS: char = '−';

/// With fixed decimals and a true minus; never `−0.00`.
///
/// What is not finite is written out: `NaN`, `∞`, `−∞`; what would be rows of
/// digits that mean nothing, with a power of ten.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    if value.abs() >= 1e15 {
        return scientific(value);
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        None => text,
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("{MINUS}{digits}"),
    }
}

/// `3.1 × 10⁻⁷`; 0 is `0`. What is not finite is written
/// out.
#[must_use]
pub fn scientific(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    let text = format!("{value:.1e}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let raised: String = exponent
        .chars()
        .map(|sign| match sign {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => char::from_u32(digit as u32 - '0' as u32 + '⁰' as u32).unwrap_or(digit),
        })
        .collect();
    format!("{} × 10{raised}", digits.replace('-', "−"))
}

/// `16,384`
#[must_use]
pub fn grouped(number: u32) -> String {
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

/// A notation for matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `mat4(…)`, column by column.
    Glsl,
    /// `Mat4::from_cols_array(…)` of the glam crate, column by column.
    RustGlam,
    /// `np.array([[…]])`, row by row.
    NumPy,
    /// `\begin{bmatrix}`, row by row.
    Latex,
    /// Sixteen numbers, column by column, as in glTF.
    Json,
}

impl Notation {
    /// In the order of the menu.
    pub const ALL: [Self; 5] = [
        Self::Glsl,
        Self::RustGlam,
        Self::NumPy,
        Self::Latex,
        Self::Json,
    ];

    /// For the menu.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Glsl => "GLSL",
            Self::RustGlam => "Rust (glam)",
            Self::NumPy => "NumPy",
            Self::Latex => "LaTeX",
            Self::Json => "JSON",
        }
    }

    /// In which order the sixteen numbers are written.
    #[must_use]
    pub fn order(self) -> &'static str {
        match self {
            Self::Glsl | Self::RustGlam | Self::Json => "column by column",
            Self::NumPy | Self::Latex => "row by row",
        }
    }

    /// The matrix in this notation, with as many digits as an f32 needs to come
    /// back the same.
    #[must_use]
    pub fn write(self, matrix: &Mat4) -> String {
        let columns = columns(matrix);
        let rows = rows(matrix);
        match self {
            Self::Glsl => format!("mat4(\n{}\n)", lines(&columns, "    ", ", ", ",")),
            Self::RustGlam => format!(
                "Mat4::from_cols_array(&[\n{},\n])",
                lines(&columns, "    ", ", ", ",")
            ),
            Self::NumPy => {
                let rows: Vec<String> = rows
                    .iter()
                    .map(|row| format!("[{}]", row.join(", ")))
                    .collect();
                format!("np.array([\n    {},\n])", rows.join(",\n    "))
            }
            Self::Latex => format!(
                "\\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}",
                lines(&rows, "", " & ", " \\\\")
            ),
            Self::Json => format!("[\n{}\n]", lines(&columns, "  ", ", ", ",")),
        }
    }
}

fn lines(quads: &[[String; 4]; 4], indent: &str, between: &str, end: &str) -> String {
    let quads: Vec<String> = quads
        .iter()
        .map(|quad| format!("{indent}{}", quad.join(between)))
        .collect();
    quads.join(&format!("{end}\n"))
}

fn columns(matrix: &Mat4) -> [[String; 4]; 4] {
    matrix
        .to_cols_array_2d()
        .map(|column| column.map(exact_number))
}

fn rows(matrix: &Mat4) -> [[String; 4]; 4] {
    columns(&matrix.transpose())
}

/// Always with a point, so that it is a float in every language; no `-0.0`.
fn exact_number(value: f32) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    let text = format!("{value}");
    if value.is_finite() && !text.contains('.') {
        format!("{text}.0")
    } else {
        text
    }
}

/// `(0.25, 2.00)`: with so many digits after the point.
#[must_use]
pub fn point(numbers: &[f32], decimals: usize) -> String {
    let fixed = |&number: &f32| self::fixed(number.into(), decimals);
    let numbers: Vec<String> = numbers.iter().map(fixed).collect();
    format!("({})", numbers.join(", "))
}

/// With a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn quarter_turn_then_move() -> Mat4 {
        Mat4::from_cols_array(&[
            0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, -2.5, 0.125, 1.0,
        ])
    }

    #[test]
    fn numbers_have_a_true_minus_and_no_negative_zero() {
        assert_eq!(fixed(-1.2345, 3), "−1.234");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0, 1), "0.0");
        assert_eq!(fixed(-0.000_500_1, 3), "−0.001");
        assert_eq!(fixed(12.0, 0), "12");
        assert_eq!(fixed(f64::NAN, 2), "NaN");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "−∞");
        assert_eq!(fixed(-3e38, 2), "−3.0 × 10³⁸");
        assert_eq!(fixed(1e300, 0), "1.0 × 10³⁰⁰");
    }

    #[test]
    fn small_numbers_are_written_with_a_power_of_ten() {
        assert_eq!(scientific(3.14e-7), "3.1 × 10⁻⁷");
        assert_eq!(scientific(9.96e-11), "1.0 × 10⁻¹⁰");
        assert_eq!(scientific(0.25), "2.5 × 10⁻¹");
        assert_eq!(scientific(12_345.0), "1.2 × 10⁴");
        assert_eq!(scientific(0.0), "0");
        assert_eq!(scientific(f64::INFINITY), "∞");
    }

    #[test]
    fn glsl_and_glam_and_json_go_column_by_column() {
        let matrix = quarter_turn_then_move();
        assert_eq!(
            Notation::Glsl.write(&matrix),
            "mat4(\n    0.0, 1.0, 0.0, 0.0,\n    -1.0, 0.0, 0.0, 0.0,\n    0.0, 0.0, 1.0, 0.0,\n    4.0, -2.5, 0.125, 1.0\n)"
        );
        assert_eq!(
            Notation::RustGlam.write(&matrix),
            "Mat4::from_cols_array(&[\n    0.0, 1.0, 0.0, 0.0,\n    -1.0, 0.0, 0.0, 0.0,\n    0.0, 0.0, 1.0, 0.0,\n    4.0, -2.5, 0.125, 1.0,\n])"
        );
        let json = Notation::Json.write(&matrix);
        assert_eq!(
            json,
            "[\n  0.0, 1.0, 0.0, 0.0,\n  -1.0, 0.0, 0.0, 0.0,\n  0.0, 0.0, 1.0, 0.0,\n  4.0, -2.5, 0.125, 1.0\n]"
        );
        let read: [f32; 16] = serde_json::from_str(&json).expect("JSON");
        assert_eq!(Mat4::from_cols_array(&read), matrix);
    }

    #[test]
    fn numpy_and_latex_go_row_by_row() {
        let matrix = quarter_turn_then_move();
        assert_eq!(
            Notation::NumPy.write(&matrix),
            "np.array([\n    [0.0, -1.0, 0.0, 4.0],\n    [1.0, 0.0, 0.0, -2.5],\n    [0.0, 0.0, 1.0, 0.125],\n    [0.0, 0.0, 0.0, 1.0],\n])"
        );
        assert_eq!(
            Notation::Latex.write(&matrix),
            "\\begin{bmatrix}\n0.0 & -1.0 & 0.0 & 4.0 \\\\\n1.0 & 0.0 & 0.0 & -2.5 \\\\\n0.0 & 0.0 & 1.0 & 0.125 \\\\\n0.0 & 0.0 & 0.0 & 1.0\n\\end{bmatrix}"
        );
    }

    #[test]
    fn copied_numbers_come_back_exactly() {
        let matrix = Mat4::from_rotation_z(0.1) * Mat4::from_translation(Vec3::splat(1.0 / 3.0));
        let read: [f32; 16] = serde_json::from_str(&Notation::Json.write(&matrix)).expect("JSON");
        assert_eq!(read, matrix.to_cols_array());
    }
}
