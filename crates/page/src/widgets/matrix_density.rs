//! The room that the numbers of a matrix take: size of type, digits, and what
//! matrices in a row share.

use glam::Mat4;

use bindpose_notebook::number_text;

/// Size of type and number of digits: smaller where there is less room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// Digits after the point, of numbers about 1.
    pub decimals: usize,
    /// Points.
    pub font: f32,
    /// Room beside each number.
    pub pad: f32,
    /// Room for a bracket.
    pub bracket: f32,
    /// Room for an operator between matrices.
    pub operator: f32,
}

impl Density {
    /// From roomy to dense, never with more digits than asked for. Type shrinks
    /// before digits go: two matrices with different digits do not compare.
    pub fn choices(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 14.0, 8.0, 7.0, 26.0),
            (decimals, 14.0, 5.0, 7.0, 24.0),
            (decimals, 13.0, 4.0, 7.0, 22.0),
            (decimals, 12.0, 3.0, 6.0, 20.0),
            (decimals, 11.5, 2.0, 5.0, 16.0),
            (decimals, 11.0, 1.0, 5.0, 14.0),
            (decimals.min(2), 12.0, 1.0, 5.0, 14.0),
        ])
    }

    /// Larger than all of these, for a cell that has the page to itself.
    pub fn enlarged(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 26.0, 12.0, 9.0, 40.0),
            (decimals, 22.0, 10.0, 9.0, 34.0),
            (decimals, 18.0, 9.0, 8.0, 30.0),
            (decimals, 16.0, 7.0, 8.0, 28.0),
        ])
    }

    fn list<const N: usize>(rows: [(usize, f32, f32, f32, f32); N]) -> impl Iterator<Item = Self> {
        let of_row = |(decimals, font, pad, bracket, operator)| Self {
            decimals,
            font,
            pad,
            bracket,
            operator,
        };
        rows.into_iter().map(of_row)
    }

    /// As wide, in smaller type with more room between numbers that are longer
    /// than usual, where these would touch.
    #[must_use]
    pub fn airy(self) -> Self {
        Self { font: self.font.min(10.5), pad: self.pad.max(2.0), ..self }
    }

    /// Height of a row.
    pub fn row(self) -> f32 {
        (self.font * 1.65).round()
    }
}

/// Room that matrices in a row with the same decimals keep for their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixRoom {
    /// Which columns keep room for a minus.
    pub signs: [bool; 4],
    /// Digits before the point, by column.
    pub digits: [usize; 4],
}

impl MatrixRoom {
    /// Room for this matrix as well, with so many decimals by column.
    pub fn grow(&mut self, matrix: &Mat4, decimals: [usize; 4]) {
        for (column, decimals) in decimals.into_iter().enumerate() {
            for number in matrix.col(column).to_array() {
                let text = number_text::fixed(number.into(), decimals);
                self.signs[column] |= text.starts_with(number_text::MINUS);
                self.digits[column] = self.digits[column].max(digits_before_point(&text));
            }
        }
    }

    /// Room for both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for column in 0..4 {
            self.signs[column] |= other.signs[column];
            self.digits[column] = self.digits[column].max(other.digits[column]);
        }
        self
    }
}

/// Digits before the point of a number as it is written.
pub fn digits_before_point(text: &str) -> usize {
    let whole = text.trim_start_matches(number_text::MINUS);
    let whole = whole.split('.').next().unwrap_or_default();
    whole.chars().count()
}
