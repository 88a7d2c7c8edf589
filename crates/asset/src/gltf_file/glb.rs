//! The frame of a binary file: header and chunks (glTF 2.0, section 4.4).

use std::ops::Range;

/// A binary file taken apart, as far as it goes; whatever its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glb {
    /// 2; `None` where the file ends before it.
    pub version: Option<u32>,
    /// Of the whole file, as its header says, in bytes.
    pub length: Option<u32>,
    /// In the file's order. The last may be cut off.
    pub chunks: Vec<GlbChunk>,
    /// Where the last chunk ends; behind it there are less bytes than a chunk's
    /// header has.
    pub end: usize,
}

/// A length, a type and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlbChunk {
    /// `JSON`, `BIN\0`.
    pub kind: [u8; 4],
    /// Offset of its content in the file.
    pub start: usize,
    /// Of its content, in bytes, as its header says.
    pub length: usize,
}

impl Glb {
    /// Of the header, in bytes.
    pub const HEADER: usize = 12;
    /// Of a chunk's header, in bytes.
    pub const CHUNK_HEADER: usize = 8;

    /// `None` for what does not begin as a binary file.
    pub fn of(file: &[u8]) -> Option<Self> {
        if !file.starts_with(b"glTF") {
            return None;
        }
        let mut chunks = Vec::new();
        let mut at = Self::HEADER;
        while let (Some(length), Some(kind)) = (word(file, at), file.get(at + 4..at + 8)) {
            let start = at + Self::CHUNK_HEADER;
            let length = length as usize;
            chunks.push(GlbChunk { kind: kind.try_into().ok()?, start, length });
            at = start.saturating_add(length);
        }
        Some(Self {
            version: word(file, 4),
            length: word(file, 8),
            chunks,
            end: at.min(file.len()),
        })
    }

    /// The first chunk, if it is JSON.
    pub fn json(&self) -> Option<&GlbChunk> {
        self.chunks.first().filter(|chunk| chunk.kind == *b"JSON")
    }

    /// The first binary chunk.
    pub fn bin(&self) -> Option<&GlbChunk> {
        self.chunks.iter().find(|chunk| chunk.kind == *b"BIN\0")
    }
}

impl GlbChunk {
    /// Of its content in the file, whose length is given: less than it says where
    /// the file is cut off.
    pub fn range(&self, file_length: usize) -> Range<usize> {
        self.start..self.start.saturating_add(self.length).min(file_length)
    }

    /// Is all of it there?
    pub fn is_whole(&self, file_length: usize) -> bool {
        self.range(file_length).len() == self.length
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}
