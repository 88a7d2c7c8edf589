//! Files whose numbers are big endian, although glTF's are little endian.

use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{get_list, get_usize};
use bindpose_gltf::{ElementFormat, ElementType};
use serde_json::Value;

use super::document::RawDocument;
use super::elements::{component_of, element_format, find_elements};

/// Maximum number of elements of one accessor that are compared with its bounds.
const MAX_COMPARED_ELEMENTS: usize = 512;
/// Minimum number of compared numbers from which the byte order is concluded.
const MIN_COMPARED_NUMBERS: usize = 12;
/// Relative error of declared bounds that counts as rounding.
const BOUNDS_TOLERANCE: f64 = 1e-5;

/// Counts the accessors whose declared bounds fit their data only with the bytes of each number
/// reversed. Returns `None` if any accessor fits as stored, or if none does after the reversal.
pub(super) fn count_reversed_accessors(doc: &RawDocument<'_>) -> Option<usize> {
    let mut accessor_count = 0;
    let mut number_count = 0;
    for (index, accessor) in doc.entries("accessors") {
        let Some(elements) = find_elements(doc, index) else {
            continue;
        };
        let comparison = BoundsComparison::new(&elements, accessor);
        if comparison.number_count == 0 || comparison.fits_stored && comparison.fits_reversed {
            continue;
        }
        if comparison.fits_stored || !comparison.fits_reversed {
            return None;
        }
        accessor_count += 1;
        number_count += comparison.number_count;
    }
    (number_count >= MIN_COMPARED_NUMBERS).then_some(accessor_count)
}

/// The first numbers of an accessor, compared with its declared bounds.
struct BoundsComparison {
    number_count: usize,
    fits_stored: bool,
    fits_reversed: bool,
}

impl BoundsComparison {
    fn new(elements: &AccessorElements<'_>, accessor: &Value) -> Self {
        let mut comparison = Self { number_count: 0, fits_stored: true, fits_reversed: true };
        let format = elements.format;
        let size = format.component.size();
        let Some(bytes) = elements.bytes.filter(|_| size > 1 && elements.sparse.is_none()) else {
            return comparison;
        };
        for lane in 0..format.kind.components {
            let min = get_list(accessor, "min").get(lane).and_then(Value::as_f64);
            let max = get_list(accessor, "max").get(lane).and_then(Value::as_f64);
            let Some((min, max)) = min.zip(max) else {
                continue;
            };
            let tolerance = BOUNDS_TOLERANCE * min.abs().max(max.abs());
            let allowed = min - tolerance..=max + tolerance;
            for index in 0..elements.count.min(MAX_COMPARED_ELEMENTS) {
                let start = index * elements.stride + format.offset(lane);
                let Some(number) = bytes.get(start..start + size) else {
                    return comparison;
                };
                let mut reversed = [0; 4];
                for (to, from) in reversed.iter_mut().zip(number.iter().rev()) {
                    *to = *from;
                }
                let component = format.component;
                comparison.number_count += 1;
                comparison.fits_stored &= allowed.contains(&component.decode(number, false));
                comparison.fits_reversed &=
                    allowed.contains(&component.decode(&reversed[..size], false));
            }
        }
        comparison
    }
}

/// Numbers of one size at a regular distance in a buffer.
struct NumberRun {
    buffer: usize,
    start: usize,
    stride: usize,
    count: usize,
    /// Offsets of the components within an element.
    offsets: Vec<usize>,
    size: usize,
}

impl NumberRun {
    /// `view` refers to its buffer view by the property `bufferView`.
    fn new(
        doc: &RawDocument<'_>,
        view: &Value,
        count: usize,
        format: ElementFormat,
        stride: Option<usize>,
    ) -> Option<Self> {
        let offset = get_usize(view, "byteOffset").unwrap_or(0);
        let view = doc.resolve(view, "bufferView", "bufferViews")?;
        Some(Self {
            buffer: get_usize(view, "buffer")?,
            start: get_usize(view, "byteOffset").unwrap_or(0).checked_add(offset)?,
            stride: stride.or(get_usize(view, "byteStride")).unwrap_or(format.size()),
            count,
            offsets: (0..format.kind.components).map(|lane| format.offset(lane)).collect(),
            size: format.component.size(),
        })
    }
}

/// Reverses the bytes of every number that an accessor names.
pub(super) fn reverse_numbers(doc: &mut RawDocument<'_>) {
    let mut runs = Vec::new();
    for accessor in doc.list("accessors") {
        runs.extend(runs_of_accessor(doc, accessor));
    }
    // Numbers that several accessors share are reversed once.
    let mut is_reversed: Vec<Vec<bool>> = doc
        .buffers
        .iter()
        .map(|buffer| vec![false; buffer.as_ref().map_or(0, |bytes| bytes.len())])
        .collect();
    for run in runs.into_iter().filter(|run| run.size > 1) {
        if !doc.work.try_spend(run.count.saturating_mul(run.offsets.len())) {
            return;
        }
        let Some(Some(bytes)) = doc.buffers.get_mut(run.buffer) else {
            continue;
        };
        let bytes = bytes.to_mut();
        for index in 0..run.count {
            for offset in &run.offsets {
                let start = run.start.saturating_add(index * run.stride + offset);
                let end = start.saturating_add(run.size);
                if end <= bytes.len() && !is_reversed[run.buffer][start] {
                    bytes[start..end].reverse();
                    is_reversed[run.buffer][start] = true;
                }
            }
        }
    }
}

fn runs_of_accessor(doc: &RawDocument<'_>, accessor: &Value) -> Vec<NumberRun> {
    let mut runs = Vec::new();
    let Some(format) = element_format(accessor) else {
        return runs;
    };
    let count = get_usize(accessor, "count").unwrap_or(0);
    runs.extend(NumberRun::new(doc, accessor, count, format, None));
    if let Some(sparse) = accessor.get("sparse") {
        let count = get_usize(sparse, "count").unwrap_or(0);
        if let Some(values) = sparse.get("values") {
            runs.extend(NumberRun::new(doc, values, count, format, Some(format.size())));
        }
        if let Some(indices) = sparse.get("indices")
            && let Some(component) = component_of(indices)
            && let Some(kind) = ElementType::from_name("SCALAR")
        {
            let format = ElementFormat { component, kind };
            runs.extend(NumberRun::new(doc, indices, count, format, Some(format.size())));
        }
    }
    runs
}
