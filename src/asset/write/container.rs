//! The `.glb` container: a header, then JSON, then numbers (glTF 2.0, section 4).

use super::error::WriteError;
use super::json;

/// JSON and numbers in one file.
pub(super) fn glb_of(root: &json::Root, mut bytes: Vec<u8>) -> Result<Vec<u8>, WriteError> {
    let mut text = serde_json::to_vec(root)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);

    let length = 12 + 8 + text.len() + 8 + bytes.len();
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(b"glTF");
    glb.extend_from_slice(&2_u32.to_le_bytes());
    glb.extend_from_slice(&(length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
        glb.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        glb.extend_from_slice(kind);
        glb.extend_from_slice(chunk);
    }
    Ok(glb)
}
