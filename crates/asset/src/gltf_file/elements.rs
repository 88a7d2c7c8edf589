//! The elements of an accessor in their bytes (glTF 2.0, section 3.6.2): read in
//! runs, each by one loop made for its component type.

use std::ops::Range;

use super::component::{Component, ElementFormat};

/// Elements whose bytes are known to be all there.
#[derive(Clone, Debug)]
pub(crate) struct AccessorElements<'a> {
    pub(crate) format: ElementFormat,
    /// Whole numbers stand for fractions.
    pub(crate) normalized: bool,
    pub(crate) count: usize,
    /// From the first element to the last byte of the last; `None` means zeros.
    pub(crate) bytes: Option<&'a [u8]>,
    /// From one element to the next; at least the size of one.
    pub(crate) stride: usize,
    pub(crate) sparse: Option<Sparse<'a>>,
}

/// Elements that replace some of the others, in the order of their places.
#[derive(Clone, Debug)]
pub(crate) struct Sparse<'a> {
    places: &'a [u8],
    component: Component,
    /// One element after the other.
    values: &'a [u8],
    /// Place and number in `values`, where the file has them in no order.
    sorted: Option<Vec<(u32, u32)>>,
}

/// Where the bytes of a sparse element begin and end in the values.
type Replaced = (usize, Range<usize>);

impl<'a> AccessorElements<'a> {
    /// Are they floats, or whole numbers that stand for fractions?
    pub(crate) fn holds_fractions(&self) -> bool {
        self.format.component == Component::F32 || self.normalized
    }

    /// The bytes of one element, without padding behind it; none where it is zeros,
    /// or is not there.
    pub(crate) fn raw(&self, index: usize) -> &'a [u8] {
        let (size, reach) = (self.format.size(), self.format.reach());
        let replaced = self.sparse.as_ref().and_then(|sparse| {
            let (_, value) = sparse.within(index..index + 1, size).next_back()?;
            sparse.values.get(value)?.get(..reach)
        });
        replaced.unwrap_or_else(|| {
            let from = index.saturating_mul(self.stride);
            let bytes = self.bytes.unwrap_or_default();
            bytes.get(from..from + reach).unwrap_or_default()
        })
    }

    /// A number as it counts: as the fraction that it stands for if normalized.
    pub(crate) fn number(&self, index: usize, lane: usize) -> f64 {
        self.decoded(index, lane, self.normalized)
    }

    /// A number as stored, which is also how declared bounds count.
    pub(crate) fn stored(&self, index: usize, lane: usize) -> f64 {
        self.decoded(index, lane, false)
    }

    fn decoded(&self, index: usize, lane: usize, normalized: bool) -> f64 {
        let bytes = self.raw(index).get(self.format.offset(lane)..);
        let component = self.format.component;
        component.decode(bytes.unwrap_or_default(), normalized)
    }

    /// The first `N` numbers of an element, as they count.
    pub(crate) fn vector<const N: usize>(&self, index: usize) -> [f64; N] {
        std::array::from_fn(|lane| self.number(index, lane))
    }

    /// Adds elements to `out` as floats: integers divided by their largest value
    /// if `normalized`, as they are otherwise. `N` numbers an element, as the
    /// type has.
    ///
    /// Errors: the first element with a number that is not finite; `out` has them all
    /// nevertheless.
    pub(crate) fn append_floats<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), usize> {
        // One loop for all formats of a width, to keep the program small.
        match (self.format.component, self.normalized) {
            (Component::F32, _) => return self.append_finite(range, out, make),
            (Component::I8 | Component::U8, normalized) => {
                let convert: fn([u8; 1]) -> f32 = match (self.format.component, normalized) {
                    (Component::I8, false) => |b| i8::from_le_bytes(b).into(),
                    (Component::I8, true) => {
                        |b| signed(i8::from_le_bytes(b).into(), i8::MAX.into())
                    }
                    (_, false) => |b| u8::from_le_bytes(b).into(),
                    (_, true) => |b| unsigned(u8::from_le_bytes(b).into(), u8::MAX.into()),
                };
                self.append(range, out, convert, make);
            }
            (Component::I16 | Component::U16, normalized) => {
                let convert: fn([u8; 2]) -> f32 = match (self.format.component, normalized) {
                    (Component::I16, false) => |b| i16::from_le_bytes(b).into(),
                    (Component::I16, true) => {
                        |b| signed(i16::from_le_bytes(b).into(), i16::MAX.into())
                    }
                    (_, false) => |b| u16::from_le_bytes(b).into(),
                    (_, true) => |b| unsigned(u16::from_le_bytes(b).into(), u16::MAX.into()),
                };
                self.append(range, out, convert, make);
            }
            (Component::U32, normalized) => {
                let convert: fn([u8; 4]) -> f32 = if normalized {
                    |b| unsigned(u32::from_le_bytes(b), u32::MAX)
                } else {
                    |b| u32::from_le_bytes(b) as f32
                };
                self.append(range, out, convert, make);
            }
        }
        Ok(())
    }

    /// Adds elements to `out` as whole numbers, if they are `u8`, `u16` or `u32`;
    /// answers whether they are.
    pub(crate) fn append_whole<const N: usize, T>(
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
        // Of all numbers at once: the largest exponent says whether one is wild.
        let largest = std::cell::Cell::new(0_u32);
        let checked = |value: [f32; N]| {
            for x in value {
                largest.set(largest.get().max(x.to_bits() & 0x7FFF_FFFF));
            }
            make(value)
        };
        self.append(range.clone(), out, f32::from_le_bytes, checked);
        if largest.get() < f32::INFINITY.to_bits() {
            return Ok(());
        }
        // Unless it has been replaced.
        let is_wild = |&index: &usize| (0..N).any(|lane| !self.stored(index, lane).is_finite());
        range.into_iter().find(is_wild).map_or(Ok(()), Err)
    }

    /// Every element of a run, its components of `W` bytes converted one by one.
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
        let (before, size) = (out.len(), N * W);
        let span = range.start.saturating_mul(self.stride)
            ..self.format.span(range.end, self.stride).unwrap_or(usize::MAX);
        match self.bytes.map(|bytes| bytes.get(span).unwrap_or_default()) {
            Some(bytes) if self.stride == size => out.extend(bytes.chunks_exact(size).map(read)),
            Some(bytes) => out.extend(bytes.chunks(self.stride.max(1)).map(read)),
            None => out.extend(range.clone().map(|_| read(&[]))),
        }
        if let Some(sparse) = &self.sparse {
            for (place, value) in sparse.within(range.clone(), size) {
                if let Some(slot) = out.get_mut(before + place - range.start) {
                    *slot = read(sparse.values.get(value).unwrap_or_default());
                }
            }
        }
    }
}

impl<'a> Sparse<'a> {
    /// As many places as values; each place must be below `count`.
    ///
    /// Errors: the first place that is not.
    pub(crate) fn new(
        places: &'a [u8],
        component: Component,
        values: &'a [u8],
        count: usize,
    ) -> Result<Self, usize> {
        let mut sparse = Self { places, component, values, sorted: None };
        let (mut in_order, mut before) = (true, None);
        for place in sparse.places() {
            if place >= count {
                return Err(place);
            }
            in_order &= before.is_none_or(|before| before < place);
            before = Some(place);
        }
        if !in_order {
            let mut sorted: Vec<(u32, u32)> =
                (0..).zip(sparse.places()).map(|(number, place)| (place as u32, number)).collect();
            // Of one place named twice, the last value counts.
            sorted.sort_unstable();
            sparse.sorted = Some(sorted);
        }
        Ok(sparse)
    }

    /// How many elements are replaced.
    fn len(&self) -> usize {
        self.places.len() / self.component.size()
    }

    /// In the file's order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|number| self.place(number))
    }

    fn place(&self, number: usize) -> usize {
        let size = self.component.size();
        let bytes = self.places.get(number * size..).unwrap_or_default();
        self.component.decode(bytes, false) as usize
    }

    /// Those with places in a range, by place. `size`: bytes of one element.
    fn within(
        &self,
        range: Range<usize>,
        size: usize,
    ) -> impl DoubleEndedIterator<Item = Replaced> {
        let entry = |at: usize| match &self.sorted {
            Some(sorted) => {
                sorted.get(at).map_or((0, 0), |&(place, number)| (place as usize, number as usize))
            }
            None => (self.place(at), at),
        };
        let below = |limit: usize| {
            let (mut low, mut high) = (0, self.len());
            while low < high {
                let middle = usize::midpoint(low, high);
                if entry(middle).0 < limit {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        (below(range.start)..below(range.end)).map(move |at| {
            let (place, number) = entry(at);
            (place, number * size..(number + 1) * size)
        })
    }
}

/// A signed integer of which `largest` counts as 1; the glTF specification, section
/// 3.6.2.2.
fn signed(value: i32, largest: i32) -> f32 {
    (f64::from(value) / f64::from(largest)).max(-1.0) as f32
}

fn unsigned(value: u32, largest: u32) -> f32 {
    (f64::from(value) / f64::from(largest)) as f32
}
