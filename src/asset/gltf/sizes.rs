//! How many bytes numbers and elements take.

use gltf::json::accessor::ComponentType;

pub(super) fn size_of_component(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// From the first byte of the first element to the last of the last.
pub(super) fn bytes_needed(count: u64, stride: u64, size: u64) -> Option<u64> {
    match count.checked_sub(1) {
        Some(before_last) => before_last.checked_mul(stride)?.checked_add(size),
        None => Some(0),
    }
}
