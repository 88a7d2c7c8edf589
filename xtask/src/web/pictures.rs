//! Converts pictures of pages to WebP if that is smaller than the PNG of the program. Together they
//! are two fifths smaller. Drawings with few colours are lossless, shaded ones lose invisible
//! detail. libwebp's own tool does this here, so that the program needs no encoder; the encoder in
//! Rust alone has neither palettes nor repetitions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::pass_on;
use crate::system::{self, ProgramUseCase};

/// Options of cwebp: lossless, or visually lossless.
const ENCODINGS: [&[&str]; 2] = [&["-lossless", "-z", "6"], &["-q", "90", "-m", "6", "-sharp_yuv"]];

/// Format of the pictures of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SitePictures {
    /// The smaller of WebP and PNG.
    Packed,
    /// PNG, because cwebp is missing. About twice as large.
    AsDrawn,
}

/// Packs the pictures of a site, and changes their names in the pages. Pictures that a page names
/// for other sites stay PNG, which all of those support. Installs cwebp if it is missing; if that
/// is impossible, prints a message and leaves the pictures unchanged.
pub(super) fn pack(site: &Path) -> Result<SitePictures, String> {
    if let Err(remedy) = system::need(ProgramUseCase::Pictures) {
        println!("! {remedy}\n! Going on without: pictures stay twice as large.");
        return Ok(SitePictures::AsDrawn);
    }
    println!("· pictures as WebP");
    let mut pages = Vec::new();
    for folder in entries(site)?.into_iter().chain([site.to_owned()]) {
        let page = folder.join("index.html");
        if page.is_file() {
            pages.push((
                fs::read_to_string(&page).map_err(|error| file_error(&page, &error))?,
                page,
            ));
        }
    }
    for picture in entries(&site.join("assets"))? {
        let name = picture.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".png").filter(|stem| stem.starts_with("picture-"))
        else {
            continue;
        };
        if !pack_picture(&picture)? {
            continue;
        }
        let mut needs_png = false;
        for (text, _) in &mut pages {
            needs_png |= rename_picture(text, stem);
        }
        if !needs_png {
            fs::remove_file(&picture).map_err(|error| file_error(&picture, &error))?;
        }
    }
    for (text, page) in &pages {
        fs::write(page, text).map_err(|error| file_error(page, &error))?;
    }
    Ok(SitePictures::Packed)
}

/// Writes the smaller encoding beside the picture if it is smaller than the PNG. Returns whether it
/// is.
fn pack_picture(picture: &Path) -> Result<bool, String> {
    let packed = picture.with_extension("webp");
    let tried = picture.with_extension("tried");
    let mut min_bytes = file_bytes(picture);
    for encoding in ENCODINGS {
        let mut pack = Command::new("cwebp");
        pass_on(pack.arg("-quiet").args(encoding).arg(picture).arg("-o").arg(&tried))?;
        if file_bytes(&tried) < min_bytes {
            min_bytes = file_bytes(&tried);
            fs::rename(&tried, &packed).map_err(|error| file_error(&packed, &error))?;
        }
    }
    if tried.is_file() {
        fs::remove_file(&tried).map_err(|error| file_error(&tried, &error))?;
    }
    Ok(packed.is_file())
}

/// Changes the name of a picture that a page shows. Returns true if the page names the PNG in other
/// places too.
fn rename_picture(page: &mut String, stem: &str) -> bool {
    let png = format!("{stem}.png");
    if page.contains(&png) {
        let source = format!("src=\"../assets/{png}\"");
        *page = page.replace(&source, &format!("src=\"../assets/{stem}.webp\""));
    }
    page.contains(&png)
}

fn file_bytes(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn file_error(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_show_webp_and_other_sites_png() {
        let mut page =
            r#"<img src="../assets/picture-01.png"><img src="../assets/picture-2.png">"#.to_owned();
        assert!(!rename_picture(&mut page, "picture-01"));
        let expected =
            r#"<img src="../assets/picture-01.webp"><img src="../assets/picture-2.png">"#;
        assert_eq!(page, expected);
        let mut page =
            r#"<meta property="og:image" content="https://a.b/assets/picture-01.png">"#.to_owned();
        assert!(rename_picture(&mut page, "picture-01"));
        assert!(page.contains("picture-01.png"));
    }
}
