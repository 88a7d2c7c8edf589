//! The `.glb` container: a header, then JSON, then numbers (glTF 2.0, section 4).

/// A file of `text` as its JSON and of `bin` as its numbers; without a chunk for
/// them where there are none.
pub(crate) fn glb_of(text: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    if bin.is_empty() {
        return glb_with(text, &[]);
    }
    bin.resize(bin.len().next_multiple_of(4), 0);
    glb_with(text, &[&chunk_header(*b"BIN\0", bin.len()), &bin])
}

/// A file of `text` as its JSON and of what comes after it: other chunks, whole.
pub(crate) fn glb_with(mut text: Vec<u8>, after: &[&[u8]]) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let after_length: usize = after.iter().map(|part| part.len()).sum();
    let length = 12 + 8 + text.len() + after_length;
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(b"glTF");
    glb.extend_from_slice(&2_u32.to_le_bytes());
    glb.extend_from_slice(&(length as u32).to_le_bytes());
    glb.extend_from_slice(&chunk_header(*b"JSON", text.len()));
    glb.extend_from_slice(&text);
    for part in after {
        glb.extend_from_slice(part);
    }
    glb
}

/// What stands before the `length` bytes of a chunk.
fn chunk_header(kind: [u8; 4], length: usize) -> [u8; 8] {
    let mut header = [0; 8];
    header[..4].copy_from_slice(&(length as u32).to_le_bytes());
    header[4..].copy_from_slice(&kind);
    header
}
