//! NumPy's `.npy`, version 1.0: a short header, then the numbers.

/// 32-bit floats, little endian, in C order: the last axis runs fastest. `shape`
/// and `values` must agree.
pub fn write_npy(shape: &[usize], values: &[f32]) -> Vec<u8> {
    debug_assert_eq!(shape.iter().product::<usize>(), values.len());
    let axes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut axes = axes.join(", ");
    if shape.len() == 1 {
        // Without its comma, a tuple of one is none.
        axes.push(',');
    }
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({axes}), }}");
    // The numbers begin at a multiple of 64, after a line feed.
    let before = 10 + header.len() + 1;
    header.push_str(&" ".repeat(before.next_multiple_of(64) - before));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_as_numpy_writes_it() {
        let bytes = write_npy(&[2, 3], &[0.0; 6]);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((10 + length) % 64, 0);
        let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
        let dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!(header.trim_end(), dict);
        assert!(header.ends_with('\n'));
        assert_eq!(bytes.len(), 10 + length + 6 * 4);
        let one = write_npy(&[2], &[0.0; 2]);
        assert!(one.windows(4).any(|w| w == b"(2,)"));
    }
}
