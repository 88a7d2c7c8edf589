//! NumPy's `.npy`.

use bindpose_diagnostic::Diagnostic;

use super::shaped::Shaped;

/// At most so many 32- or 64-bit floats, little endian, in C order.
pub(super) fn npy(bytes: &[u8], most: usize) -> Result<Shaped, Diagnostic> {
    let wrong = |found: &str| {
        Diagnostic::expected("floats of 4 or 8 bytes in C order", found.to_owned())
            .help("write numpy.save(path, numpy.ascontiguousarray(array, dtype='<f4'))")
    };
    let version = *bytes.get(6).ok_or_else(|| wrong("a file that ends early"))?;
    let (begin, length): (usize, _) = if version == 1 {
        let field = bytes.get(8..10).and_then(|field| field.try_into().ok());
        (10, field.map(|field| usize::from(u16::from_le_bytes(field))))
    } else {
        let field = bytes.get(8..12).and_then(|field| field.try_into().ok());
        let length = field.map(|field| u32::from_le_bytes(field) as usize);
        (12, length)
    };
    let end = length.and_then(|length| begin.checked_add(length));
    let end: usize = end.ok_or_else(|| wrong("a file that ends early"))?;
    let head = bytes.get(begin..end).and_then(|head| std::str::from_utf8(head).ok());
    let head = head.ok_or_else(|| wrong("a header that is no text"))?;
    let data = bytes.get(end..).unwrap_or_default();
    if head.contains("'fortran_order': True") {
        return Err(wrong("Fortran order"));
    }
    let size = if head.contains("<f8") { 8 } else { 4 };
    if data.len() / size > most {
        let found = (data.len() / size).to_string();
        let wrong = Diagnostic::expected(format!("at most {most} numbers"), found);
        return Err(wrong.help("write one pose"));
    }
    let numbers: Vec<f32> = if head.contains("<f4") {
        let words = data.chunks_exact(4).filter_map(|word| word.try_into().ok());
        words.map(f32::from_le_bytes).collect()
    } else if head.contains("<f8") {
        let words = data.chunks_exact(8).filter_map(|word| word.try_into().ok());
        words.map(|word| f64::from_le_bytes(word) as f32).collect()
    } else {
        return Err(wrong(head.trim()));
    };
    let shape = head
        .split_once("'shape':")
        .and_then(|(_, rest)| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(axes, _)| axes.split(',').map(str::trim).filter(|axis| !axis.is_empty()));
    let shape: Option<Vec<usize>> =
        shape.and_then(|axes| axes.map(|axis| axis.parse().ok()).collect());
    let shape = shape.ok_or_else(|| wrong("a header without a shape"))?;
    let count = shape.iter().try_fold(1_usize, |all, &axis| all.checked_mul(axis));
    if count != Some(numbers.len()) {
        return Err(wrong("another number of floats than its shape says"));
    }
    Ok(Shaped { shape, numbers })
}
