//! Reads the elements of an accessor from bytes (glTF 2.0, section 3.6.2), in runs, with one
//! loop per component type.

use std::ops::Range;

use super::component::{Component, ElementFormat};

/// Elements of an accessor. Their bytes are known to be complete.
#[derive(Clone, Debug)]
pub struct AccessorElements<'a> {
    /// Component type and arrangement of the components.
    pub format: ElementFormat,
    /// Whether integers represent fractions of their largest value.
    pub normalized: bool,
    /// Number of elements.
    pub count: usize,
    /// Bytes from the first to the last element. `None` if all elements are zero.
    pub bytes: Option<&'a [u8]>,
    /// Distance between two elements in bytes, at least the size of one.
    pub stride: usize,
    /// Elements that replace some of the others. `None` if the accessor is not sparse.
    pub sparse: Option<Sparse<'a>>,
}

/// Sparse part of an accessor: elements that replace some of the others.
#[derive(Clone, Debug)]
pub struct Sparse<'a> {
    /// Indices of the replaced elements, encoded as `component`.
    places: &'a [u8],
    component: Component,
    /// New elements, tightly packed.
    values: &'a [u8],
    /// Pairs of the index of a replaced element and the index in `values`, sorted. `None` if
    /// the file has them in ascending order.
    sorted: Option<Vec<(u32, u32)>>,
}

// The doctor, a crate of its own, calls these for each number. Without `inline`, only a build
// with link-time optimization would inline them there.
impl<'a> AccessorElements<'a> {
    /// Returns whether the numbers are floats or normalized integers.
    pub fn holds_fractions(&self) -> bool {
        self.format.component == Component::F32 || self.normalized
    }

    /// Returns the bytes of one element, without padding after it. Empty if the element is
    /// zero or does not exist.
    #[inline]
    pub fn raw(&self, index: usize) -> &'a [u8] {
        let size = self.format.size();
        let reach = self.format.reach();
        let replaced = self.sparse.as_ref().and_then(|sparse| {
            let (_, value) = sparse.within(index..index + 1, size).next_back()?;
            sparse.values.get(value)?.get(..reach)
        });
        replaced.unwrap_or_else(|| {
            let start = index.saturating_mul(self.stride);
            let bytes = self.bytes.unwrap_or_default();
            bytes.get(start..start + reach).unwrap_or_default()
        })
    }

    /// Returns a component of an element, as a fraction if the accessor is normalized.
    #[inline]
    pub fn number(&self, index: usize, lane: usize) -> f64 {
        self.decode(index, lane, self.normalized)
    }

    /// Returns a component of an element as stored, even if the accessor is normalized.
    /// Declared bounds refer to stored numbers.
    #[inline]
    pub fn stored(&self, index: usize, lane: usize) -> f64 {
        self.decode(index, lane, false)
    }

    #[inline]
    fn decode(&self, index: usize, lane: usize, normalized: bool) -> f64 {
        let bytes = self.raw(index).get(self.format.offset(lane)..).unwrap_or_default();
        self.format.component.decode(bytes, normalized)
    }

    /// Returns the first `N` components of an element, as fractions if the accessor is
    /// normalized.
    pub fn vector<const N: usize>(&self, index: usize) -> [f64; N] {
        std::array::from_fn(|lane| self.number(index, lane))
    }

    /// Appends a range of elements to `out` as floats, as fractions if the accessor is
    /// normalized. `N` must be the number of components of the element type.
    ///
    /// # Errors
    ///
    /// Returns the index of the first element with a number that is not finite. All elements
    /// are appended nevertheless.
    pub fn append_floats<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), usize> {
        // One loop for all formats of the same size, to keep the program small.
        match (self.format.component, self.normalized) {
            (Component::F32, _) => return self.append_finite(range, out, make),
            (Component::I8 | Component::U8, normalized) => {
                let convert: fn([u8; 1]) -> f32 = match (self.format.component, normalized) {
                    (Component::I8, false) => |b| i8::from_le_bytes(b).into(),
                    (Component::I8, true) => {
                        |b| normalize_signed(i8::from_le_bytes(b).into(), i8::MAX.into())
                    }
                    (_, false) => |b| u8::from_le_bytes(b).into(),
                    (_, true) => {
                        |b| normalize_unsigned(u8::from_le_bytes(b).into(), u8::MAX.into())
                    }
                };
                self.append(range, out, convert, make);
            }
            (Component::I16 | Component::U16, normalized) => {
                let convert: fn([u8; 2]) -> f32 = match (self.format.component, normalized) {
                    (Component::I16, false) => |b| i16::from_le_bytes(b).into(),
                    (Component::I16, true) => {
                        |b| normalize_signed(i16::from_le_bytes(b).into(), i16::MAX.into())
                    }
                    (_, false) => |b| u16::from_le_bytes(b).into(),
                    (_, true) => {
                        |b| normalize_unsigned(u16::from_le_bytes(b).into(), u16::MAX.into())
                    }
                };
                self.append(range, out, convert, make);
            }
            (Component::U32, normalized) => {
                let convert: fn([u8; 4]) -> f32 = if normalized {
                    |b| normalize_unsigned(u32::from_le_bytes(b), u32::MAX)
                } else {
                    |b| u32::from_le_bytes(b) as f32
                };
                self.append(range, out, convert, make);
            }
        }
        Ok(())
    }

    /// Appends a range of elements to `out` as integers and returns `true` if the components
    /// are `u8`, `u16` or `u32`. Returns `false` for other formats.
    pub fn append_whole<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([u32; N]) -> T,
    ) -> bool {
        match self.format.component {
            Component::U8 => self.append(range, out, |b| u8::from_le_bytes(b).into(), make),
            Component::U16 => self.append(range, out, |b| u16::from_le_bytes(b).into(), make),
            Component::U32 => self.append(range, out, u32::from_le_bytes, make),
            _ => return false,
        }
        true
    }

    fn append_finite<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), usize> {
        // The bits of magnitudes compare like the magnitudes, and those of infinities and NaN
        // are the largest. One maximum therefore checks all numbers.
        let max_magnitude_bits = std::cell::Cell::new(0_u32);
        self.append(range.clone(), out, f32::from_le_bytes, |value| {
            for x in value {
                let magnitude_bits = x.to_bits() & 0x7FFF_FFFF;
                max_magnitude_bits.set(max_magnitude_bits.get().max(magnitude_bits));
            }
            make(value)
        });
        if max_magnitude_bits.get() < f32::INFINITY.to_bits() {
            return Ok(());
        }
        // There may be none, because a sparse element can have replaced it.
        for index in range {
            if (0..N).any(|lane| !self.stored(index, lane).is_finite()) {
                return Err(index);
            }
        }
        Ok(())
    }

    /// Appends a range of elements whose components have `W` bytes, each converted by
    /// `convert`.
    fn append<const N: usize, const W: usize, P, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        convert: impl Fn([u8; W]) -> P,
        make: impl Fn([P; N]) -> T,
    ) {
        let read = |element: &[u8]| -> T {
            let (parts, _) = element.as_chunks::<W>();
            make(std::array::from_fn(|lane| convert(parts.get(lane).copied().unwrap_or([0; W]))))
        };
        let first = out.len();
        let size = N * W;
        let span = range.start.saturating_mul(self.stride)
            ..self.format.span(range.end, self.stride).unwrap_or(usize::MAX);
        match self.bytes.map(|bytes| bytes.get(span).unwrap_or_default()) {
            Some(bytes) if self.stride == size => out.extend(bytes.chunks_exact(size).map(read)),
            Some(bytes) => out.extend(bytes.chunks(self.stride.max(1)).map(read)),
            None => out.extend(range.clone().map(|_| read(&[]))),
        }
        if let Some(sparse) = &self.sparse {
            for (place, value) in sparse.within(range.clone(), size) {
                if let Some(element) = out.get_mut(first + place - range.start) {
                    *element = read(sparse.values.get(value).unwrap_or_default());
                }
            }
        }
    }
}

impl<'a> Sparse<'a> {
    /// Creates the sparse part of an accessor with `count` elements. `places` and `values`
    /// must have the same number of entries.
    ///
    /// # Errors
    ///
    /// Returns the first index that is not below `count`.
    pub fn new(
        places: &'a [u8],
        component: Component,
        values: &'a [u8],
        count: usize,
    ) -> Result<Self, usize> {
        let mut sparse = Self { places, component, values, sorted: None };
        let mut is_ascending = true;
        let mut last = None;
        for place in sparse.places() {
            if place >= count {
                return Err(place);
            }
            is_ascending &= last.is_none_or(|last| last < place);
            last = Some(place);
        }
        if !is_ascending {
            let mut sorted: Vec<(u32, u32)> =
                (0..).zip(sparse.places()).map(|(value, place)| (place as u32, value)).collect();
            // The last value of an index that is listed twice replaces the others.
            sorted.sort_unstable();
            sparse.sorted = Some(sorted);
        }
        Ok(sparse)
    }

    /// Returns the number of replaced elements.
    fn len(&self) -> usize {
        self.places.len() / self.component.size()
    }

    /// Iterates over the indices of the replaced elements, in the file's order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|value| self.place(value))
    }

    /// Returns the index of the element that a value replaces.
    fn place(&self, value: usize) -> usize {
        let size = self.component.size();
        let bytes = self.places.get(value * size..).unwrap_or_default();
        self.component.decode(bytes, false) as usize
    }

    /// Returns the index of a replaced element and the index of its value, by rank in
    /// ascending order.
    fn entry(&self, rank: usize) -> (usize, usize) {
        match &self.sorted {
            Some(sorted) => match sorted.get(rank) {
                Some(&(place, value)) => (place as usize, value as usize),
                None => (0, 0),
            },
            None => (self.place(rank), rank),
        }
    }

    /// Returns the number of replaced elements with an index below `limit`.
    fn rank_of(&self, limit: usize) -> usize {
        let mut low = 0;
        let mut high = self.len();
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.entry(middle).0 < limit {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Iterates over the replaced elements with indices in a range, in ascending order, with
    /// the byte range of each in `values`. `size` is the size of an element in bytes.
    fn within(
        &self,
        range: Range<usize>,
        size: usize,
    ) -> impl DoubleEndedIterator<Item = (usize, Range<usize>)> {
        (self.rank_of(range.start)..self.rank_of(range.end)).map(move |rank| {
            let (place, value) = self.entry(rank);
            (place, value * size..(value + 1) * size)
        })
    }
}

/// Converts a normalized signed integer (glTF 2.0, section 3.6.2.2). `largest` is 1.
fn normalize_signed(value: i32, largest: i32) -> f32 {
    (f64::from(value) / f64::from(largest)).max(-1.0) as f32
}

fn normalize_unsigned(value: u32, largest: u32) -> f32 {
    (f64::from(value) / f64::from(largest)) as f32
}
