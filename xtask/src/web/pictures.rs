//! Pictures of pages as WebP where that is smaller than the PNG that the program writes:
//! together two fifths smaller. Drawings with few colours keep every pixel, shaded ones lose
//! what nobody sees. Done here by libwebp's own tool, so that the program need not bring an
//! encoder; the one in Rust alone has neither palettes nor repetitions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::pass_on;
use crate::system::{self, ProgramUseCase};

/// Every pixel as it was; or as good as that to the eye.
const WAYS: [&[&str]; 2] = [&["-lossless", "-z", "6"], &["-q", "90", "-m", "6", "-sharp_yuv"]];

/// In what form the pictures of a site are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SitePictures {
    /// As small as they can be.
    Packed,
    /// As they were drawn, for want of the tool: about twice as large.
    AsDrawn,
}

/// Packs the pictures that pages show, and names them so there. What is named by an address
/// for other sites stays PNG, which all of these read. Installs the tool if it is missing
/// and can be installed; otherwise says so and leaves pictures as they are.
///
/// Errors: in words.
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
            pages.push((fs::read_to_string(&page).map_err(|why| told(&page, &why))?, page));
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
        let mut is_named = false;
        for (text, _) in &mut pages {
            is_named |= rename(text, stem);
        }
        if !is_named {
            fs::remove_file(&picture).map_err(|why| told(&picture, &why))?;
        }
    }
    for (text, page) in &pages {
        fs::write(page, text).map_err(|why| told(page, &why))?;
    }
    Ok(SitePictures::Packed)
}

/// Leaves the smaller of both ways beside the picture, if that is smaller than it.
fn pack_picture(picture: &Path) -> Result<bool, String> {
    let (packed, tried) = (picture.with_extension("webp"), picture.with_extension("tried"));
    let mut smallest = bytes(picture);
    for way in WAYS {
        let mut pack = Command::new("cwebp");
        pass_on(pack.arg("-quiet").args(way).arg(picture).arg("-o").arg(&tried))?;
        if bytes(&tried) < smallest {
            smallest = bytes(&tried);
            fs::rename(&tried, &packed).map_err(|why| told(&packed, &why))?;
        }
    }
    if tried.is_file() {
        fs::remove_file(&tried).map_err(|why| told(&tried, &why))?;
    }
    Ok(packed.is_file())
}

/// Where a page shows a picture; is it named otherwise, too?
fn rename(page: &mut String, stem: &str) -> bool {
    let png = format!("{stem}.png");
    if page.contains(&png) {
        let shown = format!("src=\"../assets/{png}\"");
        *page = page.replace(&shown, &format!("src=\"../assets/{stem}.webp\""));
    }
    page.contains(&png)
}

fn bytes(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|why| told(folder, &why))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn told(path: &Path, why: &std::io::Error) -> String {
    format!("{}: {why}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_the_packed_picture_and_other_sites_keep_theirs() {
        let mut page =
            r#"<img src="../assets/picture-01.png"><img src="../assets/picture-2.png">"#.to_owned();
        assert!(!rename(&mut page, "picture-01"));
        let expected =
            r#"<img src="../assets/picture-01.webp"><img src="../assets/picture-2.png">"#;
        assert_eq!(page, expected);
        let mut page =
            r#"<meta property="og:image" content="https://a.b/assets/picture-01.png">"#.to_owned();
        assert!(rename(&mut page, "picture-01"));
        assert!(page.contains("picture-01.png"));
    }
}
