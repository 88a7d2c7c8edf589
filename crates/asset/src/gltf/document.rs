//! The file around the data: JSON, buffers and views.

use std::borrow::Cow;
use std::fmt::Display;

use gltf::json::Root;

use super::error::{GltfError, GltfErrorKind};
use super::notes::ReadingNotes;
use super::{extension, json};
use crate::ModelSource;
use crate::budget::FileBudget;
use crate::gltf_file::{Glb, GlbChunk, MOST_BUFFER_BYTES, UriTarget};

/// The bytes of a buffer. One that cannot be had is an error for those who need
/// it.
type Buffer<'a> = Result<Cow<'a, [u8]>, GltfError>;

/// A file taken apart.
pub(super) struct GltfDocument<'a> {
    pub(super) root: Root,
    pub(super) buffers: Vec<Buffer<'a>>,
    pub(super) budget: FileBudget,
    pub(super) source: &'a ModelSource,
}

impl<'a> GltfDocument<'a> {
    pub(super) fn parse(
        source: &'a ModelSource,
        notes: &mut ReadingNotes,
    ) -> Result<Self, GltfError> {
        let beside = source.beside.values();
        let bytes = beside.fold(source.main.len(), |sum, file| sum.saturating_add(file.len()));
        let budget = FileBudget::new(bytes);
        let (text, bin) = json_and_bin(&source.main)?;
        let root = json::root(text, notes)?;
        check_version(&root)?;
        extension::check(&root, notes)?;
        Ok(Self { buffers: buffers(&root, bin, source)?, root, budget, source })
    }

    /// The bytes of a buffer view. `user` names who asks.
    pub(super) fn view(&self, index: usize, user: &dyn Display) -> Result<&[u8], GltfError> {
        let views = &self.root.buffer_views;
        let view = views
            .get(index)
            .ok_or_else(|| GltfError::dangling(user, "buffer views", views.len(), index))?;
        let buffer = self.buffers.get(view.buffer.value()).ok_or_else(|| {
            GltfError::dangling(
                format_args!("/bufferViews/{index}/buffer"),
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
                format_args!("/bufferViews/{index}"),
                format_args!("a range within the buffer's {} bytes", buffer.len()),
                format_args!("{} bytes from {from}", view.byte_length.0),
                "the buffer is cut off or the view is wrong; export the file again",
            )
        })
    }
}

/// `length` bytes from `from`, if they are all there.
pub(super) fn slice(bytes: &[u8], from: u64, length: u64) -> Option<&[u8]> {
    let from = usize::try_from(from).ok()?;
    let end = from.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(from..end)
}

/// The JSON and, of a GLB, the binary chunk.
pub(super) fn json_and_bin(file: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    let Some(glb) = Glb::of(file) else {
        return Ok((file, None));
    };
    let cut = |path: &str, expected: String| {
        GltfError::new(
            GltfErrorKind::Container,
            path,
            expected,
            format_args!("a file of {} bytes", file.len()),
            "the file is cut off or damaged; copy or export it again",
        )
    };
    let header = || cut("GLB header", "12 bytes".to_owned());
    let version = glb.version.ok_or_else(header)?;
    if version != 2 {
        return Err(GltfError::new(
            GltfErrorKind::Unsupported,
            "GLB header",
            "version 2",
            format_args!("version {version}"),
            "convert the file to glTF 2.0",
        ));
    }
    let length = glb.length.ok_or_else(header)?;
    let body = file
        .get(..length as usize)
        .ok_or_else(|| cut("GLB header", format!("a length of {length} bytes")))?;
    let content = |chunk: &GlbChunk| {
        let end = chunk.start.checked_add(chunk.length);
        end.and_then(|end| body.get(chunk.start..end)).ok_or_else(|| {
            let (length, start) = (chunk.length, chunk.start);
            cut("GLB chunk", format!("{length} bytes from {start}"))
        })
    };
    let json = glb.json().ok_or_else(|| cut("GLB chunk", "a JSON chunk first".to_owned()))?;
    // The binary chunk is the second, if there is one.
    let bin = glb.chunks.get(1).filter(|chunk| chunk.kind == *b"BIN\0");
    Ok((content(json)?, bin.map(content).transpose()?))
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
    source: &'a ModelSource,
) -> Result<Vec<Buffer<'a>>, GltfError> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for index in 0..root.buffers.len() {
        let bytes = buffer(root, index, bin, source);
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        if total > MOST_BUFFER_BYTES {
            return Err(GltfError::new(
                GltfErrorKind::TooLarge,
                format_args!("/buffers/{index}"),
                format_args!("at most {} MiB in all buffers", MOST_BUFFER_BYTES >> 20),
                format_args!("{} MiB with this", total >> 20),
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
    source: &'a ModelSource,
) -> Buffer<'a> {
    let path = format_args!("/buffers/{index}");
    let buffer = &root.buffers[index];
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
        (Some(uri), _) => from_uri(uri, &format_args!("{path}/uri"), source)?,
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

/// The bytes behind a URI: in itself, or in a file at or below the model's own
/// folder.
pub(super) fn from_uri<'a>(
    uri: &str,
    path: &dyn Display,
    source: &'a ModelSource,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let error = |kind, expected: &str, why: &str, remedy: &str| {
        let shown: String = uri.chars().take(80).collect();
        GltfError::new(kind, path, expected, format_args!("“{shown}”{why}"), remedy)
    };
    match UriTarget::of(uri) {
        UriTarget::Data(bytes) => Ok(Cow::Owned(bytes)),
        UriTarget::File(relative) => match source.beside(&relative) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(error(
                GltfErrorKind::Missing,
                "a file that can be read",
                "",
                "put the file beside the model, or open a .glb, which holds everything",
            )),
        },
        UriTarget::Elsewhere => Err(error(
            GltfErrorKind::Unsupported,
            "a file in the model's own folder",
            "",
            "put the file beside the model and name it by a relative path",
        )),
        UriTarget::Broken(why) => Err(error(
            GltfErrorKind::Invalid,
            "embedded data, or the name of a file",
            &format!(": {why}"),
            "the URI is damaged; export the file again",
        )),
    }
}
