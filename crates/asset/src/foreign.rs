//! What is no model that is read here: named by its first bytes, with the way to one.

use crate::gltf_file::{Glb, base64};

/// A file of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForeignFile {
    /// What it is: *an FBX file*.
    pub(crate) what: &'static str,
    /// How to get glTF out of it.
    pub(crate) remedy: &'static str,
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

/// How files begin, what they are, and how to get glTF out of them.
const BEGINNINGS: &[(&[u8], &str, &str)] = &[
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

/// What a file is that is none of ours; `None` for what is, and for what is not known.
pub(crate) fn foreign(bytes: &[u8]) -> Option<ForeignFile> {
    let of = |what, remedy| Some(ForeignFile { what, remedy });
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return of("a WebP picture", PICTURE);
    }
    if is_usdz(bytes) {
        return of("a USDZ file", EXPORT);
    }
    if let Some((_, what, remedy)) = BEGINNINGS.iter().find(|(begin, ..)| bytes.starts_with(begin))
    {
        return of(what, remedy);
    }
    if is_glb_with_lost_bytes(bytes) {
        return of("a GLB that was sent as text, which replaced bytes of it", SENT_AS_TEXT);
    }
    match markup(bytes) {
        Some("COLLADA") => return of("a COLLADA file", EXPORT),
        Some("X3D") => return of("an X3D file", EXPORT),
        Some("html") => return of("a web page", PAGE),
        Some("svg") => return of("an SVG drawing", PICTURE),
        _ => {}
    }
    if is_stl(bytes) {
        return of("an STL file", EXPORT);
    }
    is_obj(bytes).then_some(ForeignFile { what: "an OBJ file", remedy: EXPORT })
}

/// How much of a text is looked at.
const LOOKED_AT: usize = 4096;

/// The beginning as text, without a byte order mark and spaces before it.
fn beginning(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    String::from_utf8_lossy(text.get(..LOOKED_AT).unwrap_or(text))
}

/// The first of these elements that text in angle brackets opens.
fn markup(bytes: &[u8]) -> Option<&'static str> {
    let text = beginning(bytes);
    if !text.starts_with('<') {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let opens = |name: &str| {
        let name = name.to_ascii_lowercase();
        lower.find(&format!("<{name}")).or_else(|| lower.find(&format!("<!doctype {name}")))
    };
    let found = ["COLLADA", "X3D", "html", "svg"].into_iter();
    found.filter_map(|name| Some((opens(name)?, name))).min().map(|(_, name)| name)
}

/// A zip archive whose first entry is USD.
fn is_usdz(bytes: &[u8]) -> bool {
    let length = bytes.get(26..28).map(|two| usize::from(two[0]) | usize::from(two[1]) << 8);
    let name = length.and_then(|length| bytes.get(30..30 + length));
    let ends =
        |name: &[u8]| [&b".usdc"[..], b".usda", b".usd"].iter().any(|end| name.ends_with(end));
    bytes.starts_with(b"PK\x03\x04") && name.is_some_and(ends)
}

/// As text, or 80 bytes, the number of triangles, and 50 bytes for each.
fn is_stl(bytes: &[u8]) -> bool {
    let text = beginning(bytes);
    if text.starts_with("solid") && text.contains("facet") {
        return true;
    }
    let count = bytes.get(80..84).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let is_ours = bytes.starts_with(b"glTF");
    count.is_some_and(|count| {
        !is_ours && count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(count)
    })
}

/// Does each line begin with a word of the format, and is one a vertex?
fn is_obj(bytes: &[u8]) -> bool {
    const WORDS: [&str; 10] = ["#", "mtllib", "usemtl", "o", "g", "s", "v", "vn", "vt", "f"];
    let text = beginning(bytes);
    // The last line may be cut.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let is_known = |line: &str| {
        let word = line.split_whitespace().next();
        word.is_none_or(|word| word.starts_with('#') || WORDS.contains(&word))
    };
    let is_vertex = |line: &str| {
        let numbers = line.strip_prefix("v ").unwrap_or_default().split_whitespace();
        numbers.filter(|number| number.parse::<f32>().is_ok()).count() >= 3
    };
    whole.lines().all(is_known) && whole.lines().any(is_vertex)
}

// A GLB that went through something that only lets text pass.

/// Was a GLB written as UTF-8 text, each byte that is none as U+FFFD?
fn is_glb_with_lost_bytes(bytes: &[u8]) -> bool {
    let length = Glb::of(bytes).and_then(|glb| glb.length);
    length.is_some_and(|length| length as usize != bytes.len())
        && std::str::from_utf8(bytes).is_ok_and(|text| text.contains('\u{FFFD}'))
}

/// The GLB of a file that holds it as text: as base64, or each byte as the character of
/// that number. `None` where it does not.
pub(crate) fn glb_in_text(bytes: &[u8]) -> Option<Vec<u8>> {
    let whole = |glb: &Vec<u8>| glb.starts_with(b"glTF");
    if bytes.starts_with(b"glTF") {
        let is_whole = |glb: &[u8]| {
            let length = Glb::of(glb).and_then(|glb| glb.length);
            length == u32::try_from(glb.len()).ok()
        };
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_ascii())?;
        let glb: Option<Vec<u8>> = text.chars().map(|one| u8::try_from(one).ok()).collect();
        return glb.filter(|glb| is_whole(glb) && !is_whole(bytes));
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    let is_data = text.starts_with(b"data:");
    let start = if is_data { text.iter().position(|&byte| byte == b',')? + 1 } else { 0 };
    let body = text.get(start..).filter(|body| body.starts_with(b"Z2xURg"))?;
    let letters = body.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != b'"');
    let letters: Vec<u8> = letters.copied().collect();
    base64(std::str::from_utf8(&letters).ok()?).filter(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf_file::base64_text;

    fn what(bytes: &[u8]) -> &'static str {
        foreign(bytes).map_or("", |file| file.what)
    }

    #[test]
    fn files_of_other_kinds_are_named_by_their_first_bytes() {
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
            assert!(what(bytes).contains(kind), "{kind}: {}", what(bytes));
        }
        let ours: [&[u8]; 7] =
            [b"", b"glTF", b"{}", b"<MeshSystem asset_name=\"\"/>", b"hello", b"v\n", b"PK\x05"];
        for ours in ours {
            assert_eq!(what(ours), "", "{ours:?}");
        }
    }

    #[test]
    fn a_glb_that_became_text_is_known_and_had_again_where_nothing_is_lost() {
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
        assert!(what(&lost).contains("sent as text"));
        assert_eq!((glb_in_text(&glb), what(&glb)), (None, ""));
        for odd in [&b""[..], b"Z2xURg", b"Z2xURg*", b"data:", b"glTF", b"glTF\x02"] {
            assert!(glb_in_text(odd).is_none_or(|glb| glb == b"glTF"), "{odd:?}");
        }
    }
}
