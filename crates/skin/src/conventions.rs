//! Notation of matrices in other programs: row or column vectors, the order of the sixteen
//! numbers in memory, and the axes of the space.
//!
//! Everywhere else in this crate vectors are columns, memory is column-major, and y points
//! up in right-handed spaces, as in glTF 2.0 (§3.4 and §3.7.2).

use glam::{Mat4, Vec3};

use crate::keyed;

keyed! {
    /// The side of a matrix on which vectors are written.
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
    /// The order in memory of the numbers of a written matrix.
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
    /// The axes and the length unit of a space, each with the change of basis from glTF's.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ConventionAxes {
        /// y up, right-handed, metres: glTF's own.
        #[default]
        Gltf = "gltf" => "y up, right-handed",
        /// y up, left-handed: z negated.
        MirroredZ = "mirrored-z" => "y up, left-handed (z turned round)",
        /// y up, left-handed: x negated.
        MirroredX = "mirrored-x" => "y up, left-handed (x turned round)",
        /// z up, right-handed: a quarter turn about x.
        ZUp = "z-up" => "z up, right-handed",
        /// z up, left-handed, centimetres: y and z exchanged.
        ZUpLeftCm = "z-up-left-cm" => "z up, left-handed, centimetres",
    }
}

impl ConventionAxes {
    /// Returns the change of basis that maps a position in glTF's axes to these.
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

    /// Expresses a transform in these axes: `C · M · C⁻¹` with the change of basis C.
    ///
    /// Rotations stay rotations, and the conversion of a product is the product of the
    /// conversions.
    pub fn of(self, matrix: &Mat4) -> Mat4 {
        if self == Self::Gltf {
            return *matrix;
        }
        let from_gltf = self.from_gltf();
        // C is a quarter turn or a mirror times one scale, so this inverse is exact except
        // for the scale.
        let gltf_from_axes = match self {
            Self::ZUpLeftCm => Mat4::from_cols_array(&[
                0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]),
            _ => from_gltf.transpose(),
        };
        from_gltf * *matrix * gltf_from_axes
    }

    /// Returns the number of these length units in one metre.
    pub fn units_in_metre(self) -> f32 {
        match self {
            Self::ZUpLeftCm => 100.0,
            _ => 1.0,
        }
    }
}

/// The matrix conventions of a program or an article.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conventions {
    /// The side of a matrix on which vectors are written.
    pub vectors: Vectors,
    /// The order of the numbers in memory.
    pub memory: MemoryOrder,
    /// The axes and the unit of positions.
    pub axes: ConventionAxes,
}

impl Conventions {
    /// Returns whether vectors are rows. Matrices are then written transposed, and products
    /// apply from the left to the right.
    pub fn has_rows(&self) -> bool {
        self.vectors == Vectors::Rows
    }

    /// Converts a matrix to its written form in these conventions: row `r` and column `c`
    /// on paper are row `r` and column `c` of the result. `matrix` is in the conventions of
    /// this crate.
    pub fn written(&self, matrix: &Mat4) -> Mat4 {
        let in_axes = self.axes.of(matrix);
        match self.vectors {
            Vectors::Columns => in_axes,
            Vectors::Rows => in_axes.transpose(),
        }
    }

    /// Returns row and column, on paper and from 0, of the number at `index` of 16 in memory.
    pub fn on_paper(&self, index: usize) -> (usize, usize) {
        match self.memory {
            MemoryOrder::Columns => (index % 4, index / 4 % 4),
            MemoryOrder::Rows => (index / 4 % 4, index % 4),
        }
    }

    /// Returns row and column, from 0, of the number at `index` of 16 in memory, in the
    /// conventions of this crate: with column vectors.
    pub fn row_and_column(&self, index: usize) -> (usize, usize) {
        let (row, column) = self.on_paper(index);
        match self.vectors {
            Vectors::Columns => (row, column),
            Vectors::Rows => (column, row),
        }
    }

    /// Returns the sixteen numbers of a matrix in the order of memory.
    pub fn in_memory(&self, matrix: &Mat4) -> [f32; 16] {
        let written = self.written(matrix);
        std::array::from_fn(|index| {
            let (row, column) = self.on_paper(index);
            written.col(column)[row]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_conventions() -> impl Iterator<Item = Conventions> {
        Vectors::ALL.into_iter().flat_map(|vectors| {
            MemoryOrder::ALL.into_iter().flat_map(move |memory| {
                ConventionAxes::ALL.map(|axes| Conventions { vectors, memory, axes })
            })
        })
    }

    fn rotated_and_translated() -> Mat4 {
        Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Mat4::from_rotation_y(0.7)
    }

    #[test]
    fn row_vectors_in_rows_and_column_vectors_in_columns_are_the_same_bytes() {
        let matrix = rotated_and_translated();
        let in_memory = |vectors, memory| {
            let conventions = Conventions { vectors, memory, axes: ConventionAxes::Gltf };
            conventions.in_memory(&matrix)
        };
        let gltf = in_memory(Vectors::Columns, MemoryOrder::Columns);
        assert_eq!(gltf, matrix.to_cols_array());
        assert_eq!(in_memory(Vectors::Rows, MemoryOrder::Rows), gltf);
        let transposed = in_memory(Vectors::Columns, MemoryOrder::Rows);
        assert_eq!(transposed, in_memory(Vectors::Rows, MemoryOrder::Columns));
        // Issue #93 of the glTF tutorials looks for the translation in the wrong place.
        assert_eq!(gltf[12..15], [1.0, 2.0, 3.0]);
        assert_eq!([transposed[3], transposed[7], transposed[11]], [1.0, 2.0, 3.0]);
    }

    #[test]
    fn every_index_in_memory_is_one_cell_of_the_matrix() {
        let matrix = rotated_and_translated();
        for conventions in all_conventions() {
            let in_memory = conventions.in_memory(&matrix);
            let in_axes = conventions.axes.of(&matrix);
            let mut cells = std::collections::BTreeSet::new();
            for (index, number) in in_memory.into_iter().enumerate() {
                let (row, column) = conventions.row_and_column(index);
                assert!(cells.insert((row, column)), "{conventions:?}");
                assert_eq!(number, in_axes.col(column)[row], "{conventions:?}");
            }
        }
    }

    #[test]
    fn other_axes_keep_positions_and_products() {
        let a = rotated_and_translated();
        let b = Mat4::from_rotation_x(-0.4);
        let point = Vec3::new(0.3, -0.2, 0.9);
        for axes in ConventionAxes::ALL {
            let moved = axes.of(&a).transform_point3(axes.from_gltf().transform_point3(point));
            let expected = axes.from_gltf().transform_point3(a.transform_point3(point));
            assert!(moved.distance(expected) < 1e-3, "{axes:?}");
            let product = axes.of(&a) * axes.of(&b);
            assert!(product.abs_diff_eq(axes.of(&(a * b)), 1e-3), "{axes:?}");
            let unit = axes.from_gltf().transform_vector3(Vec3::X).length();
            assert!((unit - axes.units_in_metre()).abs() < 1e-4);
        }
    }

    #[test]
    fn labels_name_the_handedness_of_their_axes() {
        for axes in ConventionAxes::ALL {
            let is_left_handed = axes.from_gltf().determinant() < 0.0;
            assert_eq!(axes.label().contains("left-handed"), is_left_handed);
        }
    }

    #[test]
    fn a_row_vector_times_the_written_matrix_equals_the_matrix_times_a_column_vector() {
        let conventions = Conventions { vectors: Vectors::Rows, ..Conventions::default() };
        let matrix = rotated_and_translated();
        let point = Vec3::new(0.3, -0.2, 0.9).extend(1.0);
        let written = conventions.written(&matrix);
        let by_rows = glam::Vec4::from_array(std::array::from_fn(|c| point.dot(written.col(c))));
        assert!(by_rows.abs_diff_eq(matrix * point, 1e-6));
    }
}
