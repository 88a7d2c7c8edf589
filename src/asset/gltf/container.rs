//! The file around the data: GLB chunks, JSON, buffers.

use std::borrow::Cow;

use gltf::json::Root;

use super::error::{GltfError, GltfErrorKind};
use super::notes::Notes;
use super::uri::{Resolve, from_uri};
use super::{extension, json};

/// All buffers of a file together, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// The bytes of a buffer. One that cannot be had is an error for those who need
/// it.
type Buffer<'a> = Result<Cow<'a, [u8]>, GltfError>;

/// A file taken apart.
pub(super) struct Document<'a> {
    pub(super) root: Root,
    pub(super) buffers: Vec<Buffer<'a>>,
}

impl<'a> Document<'a> {
    pub(super) fn parse(
        bytes: &'a [u8],
        resolve: Resolve<'a>,
        notes: &mut Notes,
    ) -> Result<Self, GltfError> {
        let (text, bin) = json_and_bin(bytes)?;
        let root = json::root(text, notes)?;
        check_version(&root)?;
        extension::check(&root, notes)?;
        let buffers = buffers(&root, bin, resolve)?;
        Ok(Self { root, buffers })
    }

    /// The bytes of a buffer view. `path` names who asks.
    pub(super) fn view(&self, index: usize, path: &str) -> Result<&[u8], GltfError> {
        let views = &self.root.buffer_views;
        let view = views
            .get(index)
            .ok_or_else(|| GltfError::dangling(path, "buffer views", views.len(), index))?;
        let path = format!("/bufferViews/{index}");
        let buffer = self.buffers.get(view.buffer.value()).ok_or_else(|| {
            GltfError::dangling(
                format_args!("{path}/buffer"),
                "buffers",
                self.buffers.len(),
                view.buffer.value(),
            )
        })?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let from = view.byte_offset.map_or(0, |offset| offset.0);
        slice(buffer, from, view.byte_length.0).ok_or_else(|| {
            GltfError::new(
                GltfErrorKind::OutOfBounds,
                path,
                format_args!("a range within the buffer's {} bytes", buffer.len()),
                format_args!("{} bytes from {from}", view.byte_length.0),
                "the buffer is cut off or the view is wrong; export the file again",
            )
        })
    }
}

/// The JSON and, of a GLB, the binary chunk.
pub(super) fn json_and_bin(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    if bytes.starts_with(b"glTF") {
        chunks(bytes)
    } else {
        Ok((bytes, None))
    }
}

/// `length` bytes from `from`, if they are all there.
pub(super) fn slice(bytes: &[u8], from: u64, length: u64) -> Option<&[u8]> {
    let from = usize::try_from(from).ok()?;
    let end = from.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(from..end)
}

/// JSON and binary chunk of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    let cut = |path: &str, expected: String| {
        GltfError::new(
            GltfErrorKind::Container,
            path,
            expected,
            format_args!("a file of {} bytes", bytes.len()),
            "the file is cut off or damaged; copy or export it again",
        )
    };
    let word = |at: usize| -> Option<u32> {
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let version = word(4).ok_or_else(|| cut("GLB header", "12 bytes".to_owned()))?;
    if version != 2 {
        return Err(GltfError::new(
            GltfErrorKind::Unsupported,
            "GLB header",
            "version 2",
            format_args!("version {version}"),
            "convert the file to glTF 2.0",
        ));
    }
    let length = word(8).ok_or_else(|| cut("GLB header", "12 bytes".to_owned()))?;
    let body = bytes
        .get(..length as usize)
        .ok_or_else(|| cut("GLB header", format!("a length of {length} bytes")))?;

    let mut at = 12;
    let mut found: [Option<&[u8]>; 2] = [None, None];
    for kind in [*b"JSON", *b"BIN\0"] {
        let Some(size) = word(at).filter(|_| at + 8 <= body.len()) else {
            break;
        };
        let content = slice(body, at as u64 + 8, u64::from(size))
            .ok_or_else(|| cut("GLB chunk", format!("{size} bytes from {}", at + 8)))?;
        if body.get(at + 4..at + 8) == Some(&kind) {
            found[usize::from(kind == *b"BIN\0")] = Some(content);
        } else if kind == *b"JSON" {
            return Err(cut("GLB chunk", "a JSON chunk first".to_owned()));
        }
        at += 8 + size as usize;
    }
    match found {
        [Some(json), bin] => Ok((json, bin)),
        _ => Err(cut("GLB chunk", "a JSON chunk".to_owned())),
    }
}

fn check_version(root: &Root) -> Result<(), GltfError> {
    if !root.asset.version.starts_with("2.") {
        return Err(GltfError::new(
            GltfErrorKind::Unsupported,
            "/asset/version",
            "2.0",
            format_args!("“{}”", root.asset.version),
            "convert the file to glTF 2.0",
        ));
    }
    Ok(())
}

/// Every buffer, or why it cannot be had. All together are kept within limits.
fn buffers<'a>(
    root: &Root,
    bin: Option<&'a [u8]>,
    resolve: Resolve<'a>,
) -> Result<Vec<Buffer<'a>>, GltfError> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for index in 0..root.buffers.len() {
        let bytes = buffer(root, index, bin, resolve);
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        if total > MOST_BYTES {
            return Err(GltfError::new(
                GltfErrorKind::TooLarge,
                format_args!("/buffers/{index}"),
                format_args!("at most {MOST_BYTES} bytes in all buffers"),
                "more",
                "open a smaller model",
            ));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn buffer<'a>(
    root: &Root,
    index: usize,
    bin: Option<&'a [u8]>,
    resolve: Resolve<'a>,
) -> Buffer<'a> {
    let path = format!("/buffers/{index}");
    let buffer = &root.buffers[index];
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
        (Some(uri), _) => from_uri(uri, &format!("{path}/uri"), resolve)?,
        (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
        (None, _) => {
            return Err(GltfError::missing(
                format_args!("{path}/uri"),
                "a URI, or the binary chunk of a GLB",
                "put the .bin file beside the .gltf and name it here",
            ));
        }
    };
    let declared = buffer.byte_length.0;
    if (bytes.len() as u64) < declared {
        return Err(GltfError::new(
            GltfErrorKind::OutOfBounds,
            format_args!("{path}/byteLength"),
            format_args!("{declared} bytes"),
            format_args!("{} bytes", bytes.len()),
            "the binary part is cut off; copy or export it again",
        ));
    }
    Ok(bytes)
}
