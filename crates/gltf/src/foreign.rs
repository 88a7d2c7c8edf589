//! Detects files of unsupported formats by their first bytes, to name the format and a way
//! to convert it.

use crate::gltf_file::{Glb, base64};

/// A known format that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignFile {
    /// Name of the format with its article, such as `an FBX file`.
    pub what: &'static str,
    /// Way to obtain glTF from it.
    pub remedy: &'static str,
}

const EXPORT: &str =
    "open it in Blender and export it as glTF 2.0 (.glb): renaming a file does not convert it";
const FBX: &str = "open it in Blender and export it as glTF 2.0 (.glb), or convert it by FBX2glTF: renaming a file does not convert it";
const UNPACK: &str = "unpack it, and open the .glb or .gltf in it";
const BLEND: &str = "open it in Blender and export it as glTF 2.0 (.glb)";
const PICTURE: &str = "open the .glb or .gltf that it belongs to";
const POINTER: &str = "the file itself is still on the server: git lfs pull in the folder of the repository brings it";
const PAGE: &str = "what was saved is a page of the site, perhaps one that says 404: download the model itself (on GitHub, Download raw file)";
const SENT_AS_TEXT: &str = "bytes of it are lost: copy or download the file again as binary data (in a program: as an array buffer, not as text)";
const UTF_8: &str = "save it as UTF-8";

/// First bytes of a file, its format, and the remedy.
const SIGNATURES: &[(&[u8], &str, &str)] = &[
    (b"Kaydara FBX Binary", "an FBX file", FBX),
    (b"; FBX", "an FBX file (as text)", FBX),
    (b"version https://git-lfs", "a pointer of Git LFS", POINTER),
    (b"BLENDER", "a .blend file", BLEND),
    (b"PXR-USDC", "a USD file", EXPORT),
    (b"#usda", "a USD file (as text)", EXPORT),
    (b"#VRML", "a VRML file", EXPORT),
    (b"ply\n", "a PLY file", EXPORT),
    (b"ply\r", "a PLY file", EXPORT),
    (b"HIERARCHY", "a BVH file of motions", EXPORT),
    (b"PMX ", "an MMD model (PMX)", EXPORT),
    (b"Pmd", "an MMD model (PMD)", EXPORT),
    (b"xof ", "a DirectX .x file", EXPORT),
    (b"//Maya", "a Maya file", EXPORT),
    (b"DRACO", "a Draco mesh without the glTF around it", EXPORT),
    (b"\x89PNG", "a PNG picture", PICTURE),
    (b"\xFF\xD8\xFF", "a JPEG picture", PICTURE),
    (b"GIF8", "a GIF picture", PICTURE),
    (b"DDS ", "a DDS picture", PICTURE),
    (b"\xABKTX", "a KTX picture", PICTURE),
    (b"PK\x03\x04", "a zip archive", UNPACK),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (b"\x1F\x8B", "a file packed by gzip (perhaps a .blend)", UNPACK),
    (b"\x28\xB5\x2F\xFD", "a file packed by zstd (perhaps a .blend)", UNPACK),
    (b"\xFF\xFE", "text in UTF-16", UTF_8),
    (b"\xFE\xFF", "text in UTF-16", UTF_8),
];

/// Detects a known format that cannot be read. Returns `None` for supported and for unknown
/// formats.
pub fn foreign(bytes: &[u8]) -> Option<ForeignFile> {
    let (what, remedy) = if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        ("a WebP picture", PICTURE)
    } else if is_usdz(bytes) {
        ("a USDZ file", EXPORT)
    } else if let Some(&(_, what, remedy)) =
        SIGNATURES.iter().find(|(signature, ..)| bytes.starts_with(signature))
    {
        (what, remedy)
    } else if is_glb_with_lost_bytes(bytes) {
        ("a GLB that was sent as text, which replaced bytes of it", SENT_AS_TEXT)
    } else {
        match first_markup_element(bytes) {
            Some("COLLADA") => ("a COLLADA file", EXPORT),
            Some("X3D") => ("an X3D file", EXPORT),
            Some("html") => ("a web page", PAGE),
            Some("svg") => ("an SVG drawing", PICTURE),
            _ if is_stl(bytes) => ("an STL file", EXPORT),
            _ if is_obj(bytes) => ("an OBJ file", EXPORT),
            _ => return None,
        }
    };
    Some(ForeignFile { what, remedy })
}

/// Bytes of a text file that are examined.
const TEXT_PREFIX_BYTES: usize = 4096;

/// Returns the beginning of a file as text, without byte order mark and leading whitespace.
fn text_prefix(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    String::from_utf8_lossy(text.get(..TEXT_PREFIX_BYTES).unwrap_or(text))
}

/// Returns the element of a known XML format, or of HTML, that is opened first.
fn first_markup_element(bytes: &[u8]) -> Option<&'static str> {
    let text = text_prefix(bytes);
    if !text.starts_with('<') {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    ["COLLADA", "X3D", "html", "svg"]
        .into_iter()
        .filter_map(|name| {
            let lower_name = name.to_ascii_lowercase();
            let offset = lower
                .find(&format!("<{lower_name}"))
                .or_else(|| lower.find(&format!("<!doctype {lower_name}")))?;
            Some((offset, name))
        })
        .min()
        .map(|(_, name)| name)
}

/// Returns whether the file is a zip archive whose first entry is a USD file.
fn is_usdz(bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"PK\x03\x04") {
        return false;
    }
    // Local file header: the length of the name at offset 26, the name at offset 30.
    let Some(&[low, high]) = bytes.get(26..28) else { return false };
    let name_length = usize::from(u16::from_le_bytes([low, high]));
    let name = bytes.get(30..30 + name_length).unwrap_or_default();
    [&b".usdc"[..], b".usda", b".usd"].iter().any(|extension| name.ends_with(extension))
}

/// Returns whether the file is a text STL, or a binary one: a header of 80 bytes, the number
/// of triangles, and 50 bytes per triangle.
fn is_stl(bytes: &[u8]) -> bool {
    let text = text_prefix(bytes);
    if text.starts_with("solid") && text.contains("facet") {
        return true;
    }
    if bytes.starts_with(b"glTF") {
        return false;
    }
    let Some(&[a, b, c, d]) = bytes.get(80..84) else { return false };
    let triangle_count = u32::from_le_bytes([a, b, c, d]);
    triangle_count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(triangle_count)
}

/// Returns whether every line begins with a keyword of OBJ, and at least one is a vertex.
fn is_obj(bytes: &[u8]) -> bool {
    const KEYWORDS: [&str; 10] = ["#", "mtllib", "usemtl", "o", "g", "s", "v", "vn", "vt", "f"];
    let text = text_prefix(bytes);
    // The last line may be incomplete.
    let lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let mut has_vertex = false;
    for line in lines.lines() {
        let keyword = line.split_whitespace().next();
        if !keyword.is_none_or(|word| word.starts_with('#') || KEYWORDS.contains(&word)) {
            return false;
        }
        let coordinates = line.strip_prefix("v ").unwrap_or_default().split_whitespace();
        has_vertex |= coordinates.filter(|number| number.parse::<f32>().is_ok()).count() >= 3;
    }
    has_vertex
}

// GLB files that were transferred as text.

/// Returns whether a GLB was decoded as UTF-8, which replaced invalid bytes by U+FFFD.
fn is_glb_with_lost_bytes(bytes: &[u8]) -> bool {
    let length = Glb::of(bytes).and_then(|glb| glb.length);
    length.is_some_and(|length| length as usize != bytes.len())
        && std::str::from_utf8(bytes).is_ok_and(|text| text.contains('\u{FFFD}'))
}

/// Returns whether a GLB has the length that its header declares.
fn has_declared_length(glb: &[u8]) -> bool {
    let length = Glb::of(glb).and_then(|glb| glb.length);
    length == u32::try_from(glb.len()).ok()
}

/// Decodes a GLB that is stored as text: as base64, or with each byte as the character of
/// that code (Latin-1 converted to UTF-8). Returns `None` if the file is no such text.
pub fn glb_in_text(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.starts_with(b"glTF") {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_ascii())?;
        let glb: Vec<u8> =
            text.chars().map(|character| u8::try_from(character).ok()).collect::<Option<_>>()?;
        return (has_declared_length(&glb) && !has_declared_length(bytes)).then_some(glb);
    }
    let unmarked = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let text = unmarked.strip_prefix(b"\"").unwrap_or(unmarked);
    let start = if text.starts_with(b"data:") {
        text.iter().position(|&byte| byte == b',')? + 1
    } else {
        0
    };
    // Base64 of `glTF`.
    let body = text.get(start..).filter(|body| body.starts_with(b"Z2xURg"))?;
    let digits: Vec<u8> =
        body.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'"').collect();
    base64(std::str::from_utf8(&digits).ok()?).filter(|glb| glb.starts_with(b"glTF"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf_file::base64_text;

    fn format_name(bytes: &[u8]) -> &'static str {
        foreign(bytes).map_or("", |file| file.what)
    }

    #[test]
    fn formats_are_detected_by_first_bytes() {
        let binary_stl = [&[0_u8; 80][..], &[2, 0, 0, 0], &[7; 100]].concat();
        let mut usdz = b"PK\x03\x04".to_vec();
        usdz.resize(26, 0);
        usdz.extend_from_slice(b"\x06\x00\x00\x00a.usdc");
        for (bytes, kind) in [
            (&b"Kaydara FBX Binary  \0"[..], "FBX"),
            (b"; FBX 7.3.0 project file", "FBX"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:", "Git LFS"),
            (b"\n<!DOCTYPE html>\n<html>", "web page"),
            (b"<HTML><head>", "web page"),
            (b"PK\x03\x04rest", "zip"),
            (&usdz, "USDZ"),
            (b"\x1F\x8B\x08", "gzip"),
            (b"\x28\xB5\x2F\xFD", "zstd"),
            (b"# Blender v3.0\r\nmtllib a.mtl\r\no Cube\r\nv 1 1 1\r\nf 1 2", "OBJ"),
            (b"PXR-USDC\0", "USD"),
            (b"#usda 1.0\n", "USD"),
            (b"BLENDER-v300", ".blend"),
            (b"solid a\n facet normal 0 0 1", "STL"),
            (&binary_stl, "STL"),
            (b"ply\nformat ascii 1.0", "PLY"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">", "COLLADA"),
            (b"#VRML V2.0 utf8", "VRML"),
            (b"\x89PNG\r\n", "PNG"),
            (b"\xFF\xD8\xFF\xE0", "JPEG"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "WebP"),
            (b"\xABKTX 20\xBB", "KTX"),
            (b"\xFF\xFE{\0", "UTF-16"),
        ] {
            assert!(format_name(bytes).contains(kind), "{kind}: {}", format_name(bytes));
        }
        let others: [&[u8]; 7] =
            [b"", b"glTF", b"{}", b"<MeshSystem asset_name=\"\"/>", b"hello", b"v\n", b"PK\x05"];
        for bytes in others {
            assert_eq!(format_name(bytes), "", "{bytes:?}");
        }
    }

    #[test]
    fn a_glb_stored_as_text_is_detected_and_restored_if_complete() {
        let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        glb.extend((0..=255_u8).cycle().take(600));
        let length = glb.len() as u32;
        glb[8..12].copy_from_slice(&length.to_le_bytes());
        let base64 = base64_text(&glb);
        let lines = base64.as_bytes().chunks(76).collect::<Vec<_>>().join(&b"\r\n"[..]);
        let data = format!("data:model/gltf-binary;base64,{base64}");
        let latin_1: String = glb.iter().map(|&byte| char::from(byte)).collect();
        for sent in [base64.into_bytes(), lines, data.into_bytes(), latin_1.into_bytes()] {
            assert_eq!(glb_in_text(&sent).as_ref(), Some(&glb));
        }
        let lost = String::from_utf8_lossy(&glb).into_owned().into_bytes();
        assert_eq!(glb_in_text(&lost), None);
        assert!(format_name(&lost).contains("sent as text"));
        assert_eq!((glb_in_text(&glb), format_name(&glb)), (None, ""));
        for odd in [&b""[..], b"Z2xURg", b"Z2xURg*", b"data:", b"glTF", b"glTF\x02"] {
            assert!(glb_in_text(odd).is_none_or(|glb| glb == b"glTF"), "{odd:?}");
        }
    }
}
