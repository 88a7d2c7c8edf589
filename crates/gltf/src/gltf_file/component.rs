//! Formats of accessor elements: component types, element types, and the conversion between
//! numbers and bytes (glTF 2.0, sections 3.6.2.2 and 3.11).

/// Component type of an accessor. The discriminant is the code in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed integer of 8 bits.
    I8 = 5120,
    /// Unsigned integer of 8 bits.
    U8 = 5121,
    /// Signed integer of 16 bits.
    I16 = 5122,
    /// Unsigned integer of 16 bits.
    U16 = 5123,
    /// Unsigned integer of 32 bits.
    U32 = 5125,
    /// Floating-point number of 32 bits.
    F32 = 5126,
}

impl Component {
    /// All component types, in the order of their codes.
    pub const ALL: [Self; 6] = [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32];

    /// Returns the code in the file (`componentType`).
    pub fn code(self) -> u32 {
        self as u32
    }

    /// Converts the code in the file. Returns `None` if it is no component type.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|component| component.code() == code)
    }

    /// Returns the name in the glTF specification, for display.
    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "signed byte",
            Self::U8 => "unsigned byte",
            Self::I16 => "signed short",
            Self::U16 => "unsigned short",
            Self::U32 => "unsigned int",
            Self::F32 => "float",
        }
    }

    /// Returns the size of one number in bytes.
    #[inline]
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns the smallest and the largest integer. Returns `None` for floats.
    #[inline]
    fn integer_range(self) -> Option<(f64, f64)> {
        match self {
            Self::I8 => Some((f64::from(i8::MIN), f64::from(i8::MAX))),
            Self::U8 => Some((0.0, f64::from(u8::MAX))),
            Self::I16 => Some((f64::from(i16::MIN), f64::from(i16::MAX))),
            Self::U16 => Some((0.0, f64::from(u16::MAX))),
            Self::U32 => Some((0.0, f64::from(u32::MAX))),
            Self::F32 => None,
        }
    }

    /// Returns the smallest and the largest value that can be represented, as fractions if
    /// `normalized`.
    pub fn range(self, normalized: bool) -> (f64, f64) {
        match self.integer_range() {
            Some((low, _)) if normalized => (if low < 0.0 { -1.0 } else { 0.0 }, 1.0),
            Some(range) => range,
            None => (f64::from(f32::MIN), f64::from(f32::MAX)),
        }
    }

    /// Decodes a number from little-endian bytes. Missing bytes count as 0.
    #[inline]
    pub fn decode(self, bytes: &[u8], normalized: bool) -> f64 {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            std::array::from_fn(|index| bytes.get(index).copied().unwrap_or(0))
        }
        let value = match self {
            Self::I8 => f64::from(i8::from_le_bytes(first(bytes))),
            Self::U8 => f64::from(first::<1>(bytes)[0]),
            Self::I16 => f64::from(i16::from_le_bytes(first(bytes))),
            Self::U16 => f64::from(u16::from_le_bytes(first(bytes))),
            Self::U32 => f64::from(u32::from_le_bytes(first(bytes))),
            Self::F32 => return f64::from(f32::from_le_bytes(first(bytes))),
        };
        match self.integer_range() {
            Some((_, max)) if normalized => (value / max).max(-1.0),
            _ => value,
        }
    }

    /// Encodes a number as little-endian bytes, rounded and clamped to the nearest value that
    /// can be represented.
    pub fn encode(self, value: f64, normalized: bool) -> Vec<u8> {
        let Some((min, max)) = self.integer_range() else {
            return (value as f32).to_le_bytes().to_vec();
        };
        let scaled = if normalized { value * max } else { value };
        let integer = scaled.round().clamp(min, max) as i64;
        integer.to_le_bytes()[..self.size()].to_vec()
    }
}

/// Element type of an accessor: scalar, vector or matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementType {
    /// Name in the file (`type`), such as `VEC3`.
    pub name: &'static str,
    /// Number of components of one element.
    pub components: usize,
    /// Number of rows of a matrix. Each of its columns is aligned to 4 bytes.
    rows: Option<usize>,
}

impl ElementType {
    const ALL: [Self; 7] = [
        Self::new("SCALAR", 1, None),
        Self::new("VEC2", 2, None),
        Self::new("VEC3", 3, None),
        Self::new("VEC4", 4, None),
        Self::new("MAT2", 4, Some(2)),
        Self::new("MAT3", 9, Some(3)),
        Self::new("MAT4", 16, Some(4)),
    ];

    const fn new(name: &'static str, components: usize, rows: Option<usize>) -> Self {
        Self { name, components, rows }
    }

    /// Converts the name in the file (`type`). Returns `None` if it is no element type.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name == name)
    }
}

/// Format of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementFormat {
    /// Type of each component.
    pub component: Component,
    /// Number and arrangement of the components.
    pub kind: ElementType,
}

impl ElementFormat {
    /// Returns the size of a tightly packed element in bytes, with padding.
    #[inline]
    pub fn size(self) -> usize {
        let size = self.component.size();
        match self.kind.rows {
            Some(rows) => rows * (rows * size).next_multiple_of(4),
            None => self.kind.components * size,
        }
    }

    /// Returns the byte offset of a component in its element.
    #[inline]
    pub fn offset(self, lane: usize) -> usize {
        let size = self.component.size();
        match self.kind.rows {
            Some(rows) => {
                let column = (rows * size).next_multiple_of(4);
                lane / rows * column + lane % rows * size
            }
            None => lane * size,
        }
    }

    /// Returns the size of an element in bytes, without the padding after its last column.
    /// The last element of an accessor needs no more than that.
    #[inline]
    pub fn reach(self) -> usize {
        self.offset(self.kind.components - 1) + self.component.size()
    }

    /// Returns the bytes that `count` elements occupy. Returns `None` on overflow.
    pub fn span(self, count: usize, stride: usize) -> Option<usize> {
        match count.checked_sub(1) {
            Some(last_index) => last_index.checked_mul(stride)?.checked_add(self.reach()),
            None => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_values_are_decoded_unchanged() {
        for component in Component::ALL {
            assert_eq!(Component::from_code(component.code()), Some(component));
            let bytes = component.encode(1.0, false);
            assert_eq!(bytes.len(), component.size());
            assert_eq!(component.decode(&bytes, false), 1.0);
            let (low, high) = component.range(true);
            let bytes = component.encode(high, true);
            assert_eq!(component.decode(&bytes, true), high);
            assert!(component.decode(&component.encode(low, true), true) <= low.max(-1.0) + 1e-9);
        }
    }

    #[test]
    fn normalized_numbers_range_from_zero_or_minus_one_to_one() {
        assert_eq!(Component::U8.decode(&[255], true), 1.0);
        assert_eq!(Component::I8.decode(&[0x80], true), -1.0, "−128 too");
        assert_eq!(Component::U8.encode(0.5, true), [128]);
        assert_eq!(Component::U16.encode(-3.0, false), [0, 0]);
        assert_eq!(Component::I16.encode(-2.0, false), [0xFE, 0xFF]);
    }
}
