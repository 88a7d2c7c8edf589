//! An order that looks arbitrary and is the same for everybody.

/// Returns the indices below `count`, in an order that depends on a text alone.
pub(super) fn shuffle_indices(text: &str, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut seed = seed(text);
    for last in (1..count).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        order.swap(last, (seed >> 33) as usize % (last + 1));
    }
    order
}

/// FNV-1a.
fn seed(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
