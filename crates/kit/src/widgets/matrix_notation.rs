//! Matrices in the notations of other programs, for copying.

use glam::Mat4;

use bindpose_skin::{Conventions, MemoryOrder};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Notation {
    /// `mat4(…)`, column by column.
    Glsl,
    /// `Mat4::from_cols_array(…)` of the glam crate, column by column.
    RustGlam,
    /// `np.array([[…]])`, row by row.
    NumPy,
    /// `\begin{bmatrix}`, row by row.
    Latex,
    /// `float4x4(…)`, row by row.
    Hlsl,
    /// `new Matrix4x4(…)` of Unity, column by column.
    UnityCSharp,
    /// Sixteen numbers in memory order.
    Json,
}

impl Notation {
    /// In menu order.
    pub(super) const ALL: [Self; 7] = [
        Self::Glsl,
        Self::Hlsl,
        Self::RustGlam,
        Self::UnityCSharp,
        Self::NumPy,
        Self::Latex,
        Self::Json,
    ];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Glsl => "GLSL",
            Self::Hlsl => "HLSL",
            Self::RustGlam => "Rust (glam)",
            Self::UnityCSharp => "C# (Unity)",
            Self::NumPy => "NumPy",
            Self::Latex => "LaTeX",
            Self::Json => "JSON",
        }
    }

    /// Order in which the sixteen numbers are written.
    pub(super) fn order(self, conventions: Conventions) -> &'static str {
        match self {
            Self::Glsl | Self::RustGlam | Self::UnityCSharp => MemoryOrder::Columns.label(),
            Self::NumPy | Self::Latex | Self::Hlsl => MemoryOrder::Rows.label(),
            Self::Json => conventions.memory.label(),
        }
    }

    /// Writes the matrix in this notation and these conventions. It has as many
    /// digits as an f32 needs for an exact round trip. `matrix` is in the
    /// program's own conventions.
    pub(super) fn write(self, matrix: &Mat4, conventions: Conventions) -> String {
        let written = conventions.written(matrix);
        let columns = columns(&written);
        let rows = rows(&written);
        match self {
            Self::Glsl => format!("mat4(\n{}\n)", join_lines(&columns, "    ", ", ", ",")),
            Self::Hlsl => format!("float4x4(\n{}\n)", join_lines(&rows, "    ", ", ", ",")),
            Self::UnityCSharp => {
                let columns = columns.map(|column| {
                    let numbers = column.map(|number| format!("{number}f"));
                    format!("new Vector4({})", numbers.join(", "))
                });
                format!("new Matrix4x4(\n    {}\n)", columns.join(",\n    "))
            }
            Self::RustGlam => {
                format!(
                    "Mat4::from_cols_array(&[\n{},\n])",
                    join_lines(&columns, "    ", ", ", ",")
                )
            }
            Self::NumPy => {
                let rows: Vec<String> =
                    rows.iter().map(|row| format!("[{}]", row.join(", "))).collect();
                format!("np.array([\n    {},\n])", rows.join(",\n    "))
            }
            Self::Latex => format!(
                "\\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}",
                join_lines(&rows, "", " & ", " \\\\")
            ),
            Self::Json => {
                let numbers = conventions.in_memory(matrix).map(exact_number);
                let quads: [[String; 4]; 4] = std::array::from_fn(|quad| {
                    std::array::from_fn(|at| numbers[4 * quad + at].clone())
                });
                format!("[\n{}\n]", join_lines(&quads, "  ", ", ", ","))
            }
        }
    }
}

fn join_lines(quads: &[[String; 4]; 4], indent: &str, between: &str, end: &str) -> String {
    let quads: Vec<String> =
        quads.iter().map(|quad| format!("{indent}{}", quad.join(between))).collect();
    quads.join(&format!("{end}\n"))
}

fn columns(matrix: &Mat4) -> [[String; 4]; 4] {
    matrix.to_cols_array_2d().map(|column| column.map(exact_number))
}

fn rows(matrix: &Mat4) -> [[String; 4]; 4] {
    columns(&matrix.transpose())
}

/// Always has a decimal point, so that it is a float in every language, and is
/// never `-0.0`.
fn exact_number(value: f32) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    let text = format!("{value}");
    if value.is_finite() && !text.contains('.') { format!("{text}.0") } else { text }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::Vectors;

    use super::*;
    use glam::Vec3;

    fn quarter_turn_then_move() -> Mat4 {
        Mat4::from_cols_array(&[
            0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, -2.5, 0.125, 1.0,
        ])
    }

    #[test]
    fn glsl_and_glam_and_json_go_column_by_column() {
        let matrix = quarter_turn_then_move();
        assert_eq!(
            Notation::Glsl.write(&matrix, Conventions::default()),
            "mat4(\n    0.0, 1.0, 0.0, 0.0,\n    -1.0, 0.0, 0.0, 0.0,\n    0.0, 0.0, 1.0, 0.0,\n    4.0, -2.5, 0.125, 1.0\n)"
        );
        assert_eq!(
            Notation::RustGlam.write(&matrix, Conventions::default()),
            "Mat4::from_cols_array(&[\n    0.0, 1.0, 0.0, 0.0,\n    -1.0, 0.0, 0.0, 0.0,\n    0.0, 0.0, 1.0, 0.0,\n    4.0, -2.5, 0.125, 1.0,\n])"
        );
        let json = Notation::Json.write(&matrix, Conventions::default());
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
            Notation::NumPy.write(&matrix, Conventions::default()),
            "np.array([\n    [0.0, -1.0, 0.0, 4.0],\n    [1.0, 0.0, 0.0, -2.5],\n    [0.0, 0.0, 1.0, 0.125],\n    [0.0, 0.0, 0.0, 1.0],\n])"
        );
        assert_eq!(
            Notation::Latex.write(&matrix, Conventions::default()),
            "\\begin{bmatrix}\n0.0 & -1.0 & 0.0 & 4.0 \\\\\n1.0 & 0.0 & 0.0 & -2.5 \\\\\n0.0 & 0.0 & 1.0 & 0.125 \\\\\n0.0 & 0.0 & 0.0 & 1.0\n\\end{bmatrix}"
        );
    }

    #[test]
    fn copied_numbers_come_back_exactly() {
        let matrix = Mat4::from_rotation_z(0.1) * Mat4::from_translation(Vec3::splat(1.0 / 3.0));
        let read: [f32; 16] =
            serde_json::from_str(&Notation::Json.write(&matrix, Conventions::default()))
                .expect("JSON");
        assert_eq!(read, matrix.to_cols_array());
    }

    #[test]
    fn conventions_are_followed() {
        let matrix = quarter_turn_then_move();
        let by_rows = Conventions { vectors: Vectors::Rows, ..Conventions::default() };
        assert_eq!(
            Notation::Hlsl.write(&matrix, by_rows),
            "float4x4(\n    0.0, 1.0, 0.0, 0.0,\n    -1.0, 0.0, 0.0, 0.0,\n    0.0, 0.0, 1.0, 0.0,\n    4.0, -2.5, 0.125, 1.0\n)"
        );
        assert_eq!(
            Notation::UnityCSharp.write(&matrix, Conventions::default()),
            "new Matrix4x4(\n    new Vector4(0.0f, 1.0f, 0.0f, 0.0f),\n    new Vector4(-1.0f, 0.0f, 0.0f, 0.0f),\n    new Vector4(0.0f, 0.0f, 1.0f, 0.0f),\n    new Vector4(4.0f, -2.5f, 0.125f, 1.0f)\n)"
        );
        // Rows in rows lie as columns in columns do.
        let in_rows = Conventions { memory: MemoryOrder::Rows, ..by_rows };
        let json = |conventions| Notation::Json.write(&matrix, conventions);
        assert_eq!(json(in_rows), json(Conventions::default()));
        assert_ne!(json(by_rows), json(Conventions::default()));
    }
}
