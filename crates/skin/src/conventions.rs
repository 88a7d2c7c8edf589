//! How matrices are written down, which is not what they do: the side on which vectors
//! stand, the order of the sixteen numbers in memory, and the axes of the space.
//!
//! Everywhere else in this program vectors are columns, memory goes column by column,
//! and y points up in right-handed spaces, as glTF 2.0 has it (§3.4 and §3.7.2).

use glam::{Mat4, Vec3};

use crate::keyed;

keyed! {
    /// On which side of a matrix a vector stands.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Vectors {
        /// `v′ = M · v`: factors apply from the right to the left.
        #[default]
        Columns = "columns" => "column vectors",
        /// `v′ = v · Mᵀ`: factors apply from the left to the right.
        Rows = "rows" => "row vectors",
    }
}

keyed! {
    /// In which order the numbers of a matrix, as it is written, lie in memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum MemoryOrder {
        /// The first column, from top to bottom, then the second.
        #[default]
        Columns = "columns" => "column by column",
        /// The first row, from left to right, then the second.
        Rows = "rows" => "row by row",
    }
}

keyed! {
    /// The axes and the unit in which places are given, as reached from those of glTF.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ConventionAxes {
        /// y up, right-handed, metres.
        #[default]
        Gltf = "gltf" => "y up, right-handed",
        /// y up, left-handed: z turned round.
        MirroredZ = "mirrored-z" => "y up, left-handed (z turned round)",
        /// y up, left-handed: x turned round.
        MirroredX = "mirrored-x" => "y up, left-handed (x turned round)",
        /// z up, right-handed: a quarter turn about x.
        ZUp = "z-up" => "z up, right-handed",
        /// z up, left-handed, centimetres: y and z exchanged.
        ZUpLeftCm = "z-up-left-cm" => "z up, left-handed, centimetres",
    }
}

impl ConventionAxes {
    /// Takes a place in the axes of glTF to these.
    pub fn from_gltf(self) -> Mat4 {
        match self {
            Self::Gltf => Mat4::IDENTITY,
            Self::MirroredZ => Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)),
            Self::MirroredX => Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            Self::ZUp => Mat4::from_cols_array(&[
                1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]),
            Self::ZUpLeftCm => Mat4::from_cols_array(&[
                100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                1.0,
            ]),
        }
    }

    /// The same motion in these axes: `C · M · C⁻¹`. Turns stay turns, and products stay
    /// products, since what meets between two factors cancels.
    pub fn of(self, matrix: &Mat4) -> Mat4 {
        if self == Self::Gltf {
            return *matrix;
        }
        let from_gltf = self.from_gltf();
        // Of a quarter turn or a mirror, times one number: exact but for that.
        let back = match self {
            Self::ZUpLeftCm => Mat4::from_cols_array(&[
                0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]),
            _ => from_gltf.transpose(),
        };
        from_gltf * *matrix * back
    }

    /// How many of these units a metre has.
    pub fn units_in_metre(self) -> f32 {
        match self {
            Self::ZUpLeftCm => 100.0,
            _ => 1.0,
        }
    }
}

/// How matrices are written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conventions {
    /// On which side vectors stand.
    pub vectors: Vectors,
    /// In which order numbers lie in memory.
    pub memory: MemoryOrder,
    /// What places are given in.
    pub axes: ConventionAxes,
}

impl Conventions {
    /// Are vectors rows? Then matrices are written transposed, and products from the left
    /// to the right.
    pub fn has_rows(&self) -> bool {
        self.vectors == Vectors::Rows
    }

    /// The matrix as it is written down: row `r` and column `c` of the paper are row `r`
    /// and column `c` of the result. `matrix` is as everywhere else.
    pub fn written(&self, matrix: &Mat4) -> Mat4 {
        let in_axes = self.axes.of(matrix);
        match self.vectors {
            Vectors::Columns => in_axes,
            Vectors::Rows => in_axes.transpose(),
        }
    }

    /// Row and column, on paper, of the number that lies at place `at` of 16 in memory.
    pub fn on_paper(&self, at: usize) -> (usize, usize) {
        match self.memory {
            MemoryOrder::Columns => (at % 4, at / 4 % 4),
            MemoryOrder::Rows => (at / 4 % 4, at % 4),
        }
    }

    /// Row and column of that number in `matrix`, where vectors are columns.
    pub fn row_and_column(&self, at: usize) -> (usize, usize) {
        let (row, column) = self.on_paper(at);
        match self.vectors {
            Vectors::Columns => (row, column),
            Vectors::Rows => (column, row),
        }
    }

    /// The sixteen numbers as they lie in memory.
    pub fn in_memory(&self, matrix: &Mat4) -> [f32; 16] {
        let written = self.written(matrix);
        std::array::from_fn(|at| {
            let (row, column) = self.on_paper(at);
            written.col(column)[row]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Conventions> {
        Vectors::ALL.into_iter().flat_map(|vectors| {
            MemoryOrder::ALL.into_iter().flat_map(move |memory| {
                ConventionAxes::ALL.map(|axes| Conventions { vectors, memory, axes })
            })
        })
    }

    fn turned_and_moved() -> Mat4 {
        Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Mat4::from_rotation_y(0.7)
    }

    #[test]
    fn rows_of_rows_and_columns_of_columns_are_the_same_bytes() {
        let matrix = turned_and_moved();
        let by = |vectors, memory| {
            let conventions = Conventions { vectors, memory, axes: ConventionAxes::Gltf };
            conventions.in_memory(&matrix)
        };
        let of_gltf = by(Vectors::Columns, MemoryOrder::Columns);
        assert_eq!(of_gltf, matrix.to_cols_array());
        assert_eq!(by(Vectors::Rows, MemoryOrder::Rows), of_gltf);
        let other = by(Vectors::Columns, MemoryOrder::Rows);
        assert_eq!(other, by(Vectors::Rows, MemoryOrder::Columns));
        // glTF issue #93 of the tutorials: where the translation is looked for.
        assert_eq!(of_gltf[12..15], [1.0, 2.0, 3.0]);
        assert_eq!([other[3], other[7], other[11]], [1.0, 2.0, 3.0]);
    }

    #[test]
    fn every_place_in_memory_is_one_number_of_the_matrix() {
        let matrix = turned_and_moved();
        for conventions in all() {
            let in_memory = conventions.in_memory(&matrix);
            let in_axes = conventions.axes.of(&matrix);
            let mut seen = std::collections::BTreeSet::new();
            for (at, number) in in_memory.into_iter().enumerate() {
                let (row, column) = conventions.row_and_column(at);
                assert!(seen.insert((row, column)), "{conventions:?}");
                assert_eq!(number, in_axes.col(column)[row], "{conventions:?}");
            }
        }
    }

    #[test]
    fn places_and_products_are_the_same_in_other_axes() {
        let (a, b) = (turned_and_moved(), Mat4::from_rotation_x(-0.4));
        let place = Vec3::new(0.3, -0.2, 0.9);
        for axes in ConventionAxes::ALL {
            let there = axes.of(&a).transform_point3(axes.from_gltf().transform_point3(place));
            let expected = axes.from_gltf().transform_point3(a.transform_point3(place));
            assert!(there.distance(expected) < 1e-3, "{axes:?}");
            let product = axes.of(&a) * axes.of(&b);
            assert!(product.abs_diff_eq(axes.of(&(a * b)), 1e-3), "{axes:?}");
            let unit = axes.from_gltf().transform_vector3(Vec3::X).length();
            assert!((unit - axes.units_in_metre()).abs() < 1e-4);
        }
    }

    #[test]
    fn only_names_that_say_left_turn_space_over() {
        for axes in ConventionAxes::ALL {
            let is_left_handed = axes.from_gltf().determinant() < 0.0;
            assert_eq!(axes.label().contains("left-handed"), is_left_handed);
        }
    }

    #[test]
    fn a_row_vector_times_what_is_written_is_a_matrix_times_a_column_vector() {
        let conventions = Conventions { vectors: Vectors::Rows, ..Conventions::default() };
        let (matrix, place) = (turned_and_moved(), Vec3::new(0.3, -0.2, 0.9).extend(1.0));
        let written = conventions.written(&matrix);
        let by_rows = glam::Vec4::from_array(std::array::from_fn(|c| place.dot(written.col(c))));
        assert!(by_rows.abs_diff_eq(matrix * place, 1e-6));
    }
}
