//! Elements of an accessor: component types, shapes, and numbers as bytes
//! (glTF 2.0, sections 3.6.2.2 and 3.11).

/// The type of one number of an element, with its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed byte.
    I8 = 5120,
    /// Unsigned byte.
    U8 = 5121,
    /// Signed short.
    I16 = 5122,
    /// Unsigned short.
    U16 = 5123,
    /// Unsigned int.
    U32 = 5125,
    /// Float.
    F32 = 5126,
}

impl Component {
    /// In the order of their codes.
    pub const ALL: [Self; 6] = [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32];

    /// The number in the file.
    pub fn code(self) -> u32 {
        self as u32
    }

    /// From the number in the file.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|component| component.code() == code)
    }

    /// For people, as the specification calls it.
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

    /// In bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Smallest and largest whole number; `None` for floats.
    fn whole_range(self) -> Option<(f64, f64)> {
        match self {
            Self::I8 => Some((f64::from(i8::MIN), f64::from(i8::MAX))),
            Self::U8 => Some((0.0, f64::from(u8::MAX))),
            Self::I16 => Some((f64::from(i16::MIN), f64::from(i16::MAX))),
            Self::U16 => Some((0.0, f64::from(u16::MAX))),
            Self::U32 => Some((0.0, f64::from(u32::MAX))),
            Self::F32 => None,
        }
    }

    /// The values that can be stored, after `normalized` has been applied.
    pub fn range(self, normalized: bool) -> (f64, f64) {
        match self.whole_range() {
            Some((low, _)) if normalized => (if low < 0.0 { -1.0 } else { 0.0 }, 1.0),
            Some(range) => range,
            None => (f64::from(f32::MIN), f64::from(f32::MAX)),
        }
    }

    /// The number that these little-endian bytes say. Bytes that are missing
    /// count as 0.
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
        match self.whole_range() {
            Some((_, most)) if normalized => (value / most).max(-1.0),
            _ => value,
        }
    }

    /// The bytes that come nearest to this number.
    pub fn encode(self, value: f64, normalized: bool) -> Vec<u8> {
        let Some((least, most)) = self.whole_range() else {
            return (value as f32).to_le_bytes().to_vec();
        };
        let scaled = if normalized { value * most } else { value };
        let whole = scaled.round().clamp(least, most) as i64;
        whole.to_le_bytes()[..self.size()].to_vec()
    }
}

/// How many numbers an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementType {
    /// `type` in the file.
    pub name: &'static str,
    /// Numbers of one element.
    pub components: usize,
    /// Of a matrix; each of its columns begins at a multiple of 4 bytes.
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

    /// From `type` in the file.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name == name)
    }
}

/// How an element lies in its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementFormat {
    /// The type of each number.
    pub component: Component,
    /// How many numbers there are.
    pub kind: ElementType,
}

impl ElementFormat {
    /// Bytes of one element, from its beginning to that of the next.
    pub fn size(self) -> usize {
        let size = self.component.size();
        match self.kind.rows {
            Some(rows) => rows * (rows * size).next_multiple_of(4),
            None => self.kind.components * size,
        }
    }

    /// Bytes from an element's first number to one of its others.
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

    /// Bytes from the first number of an element to the end of its last: what the
    /// last element takes, without the padding behind its last column.
    pub fn reach(self) -> usize {
        self.offset(self.kind.components - 1) + self.component.size()
    }

    /// From the first byte of the first of so many elements to the last of the
    /// last; `None` for more than there can be.
    pub fn span(self, count: usize, stride: usize) -> Option<usize> {
        match count.checked_sub(1) {
            Some(before_last) => before_last.checked_mul(stride)?.checked_add(self.reach()),
            None => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
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
    fn normalized_numbers_go_from_nought_or_minus_one_to_one() {
        assert_eq!(Component::U8.decode(&[255], true), 1.0);
        assert_eq!(Component::I8.decode(&[0x80], true), -1.0, "−128 too");
        assert_eq!(Component::U8.encode(0.5, true), [128]);
        assert_eq!(Component::U16.encode(-3.0, false), [0, 0]);
        assert_eq!(Component::I16.encode(-2.0, false), [0xFE, 0xFF]);
    }
}
