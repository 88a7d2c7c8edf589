//! Sparse accessors: a few elements that replace those of a dense array.

use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::validation::Checked;

use super::container::{Document, slice};
use super::error::{GltfError, GltfErrorKind};
use super::sizes::{bytes_needed, size_of_component};

/// Place and bytes of every element that is replaced; empty for a dense
/// accessor. `size`: bytes of one element.
pub(super) fn replacements<'a>(
    document: &'a Document<'_>,
    accessor: &Accessor,
    size: usize,
    path: &str,
) -> Result<Vec<(usize, &'a [u8])>, GltfError> {
    let Some(sparse) = &accessor.sparse else {
        return Ok(Vec::new());
    };
    let path = format!("{path}/sparse");
    let width = match sparse.indices.component_type {
        Checked::Valid(index_type)
            if !matches!(
                index_type.0,
                ComponentType::I8 | ComponentType::I16 | ComponentType::F32
            ) =>
        {
            size_of_component(index_type.0)
        }
        _ => {
            return Err(damaged(
                format!("{path}/indices/componentType"),
                "u8, u16 or u32".to_owned(),
                "something else".to_owned(),
            ));
        }
    };
    let part = |name: &str, view: usize, offset: u64, each: usize| {
        let path = format!("{path}/{name}");
        let data = document.view(view, &format!("{path}/bufferView"))?;
        bytes_needed(sparse.count.0, each as u64, each as u64)
            .and_then(|needed| slice(data, offset, needed))
            .ok_or_else(|| {
                let expected = format!("{} elements of {each} bytes", sparse.count.0);
                damaged(path, expected, format!("a view of {} bytes", data.len()))
            })
    };
    let indices = &sparse.indices;
    let places = part(
        "indices",
        indices.buffer_view.value(),
        indices.byte_offset.0,
        width,
    )?;
    let values = &sparse.values;
    let values = part(
        "values",
        values.buffer_view.value(),
        values.byte_offset.0,
        size,
    )?;
    let mut found = Vec::with_capacity(places.len() / width);
    for (place, value) in places.chunks_exact(width).zip(values.chunks_exact(size)) {
        let mut index = [0; 4];
        for (to, &from) in index.iter_mut().zip(place) {
            *to = from;
        }
        let index = u32::from_le_bytes(index);
        if u64::from(index) >= accessor.count.0 {
            return Err(damaged(
                format!("{path}/indices"),
                format!("indices below {}", accessor.count.0),
                index.to_string(),
            ));
        }
        found.push((index as usize, value));
    }
    Ok(found)
}

fn damaged(path: String, expected: String, found: String) -> GltfError {
    let remedy = "the sparse part is damaged; export the file again";
    GltfError::new(GltfErrorKind::OutOfBounds, path, expected, found, remedy)
}
