//! Pictures of pages as lossless WebP where that is smaller than the PNG that the program
//! writes: together a seventh smaller, with every pixel as it was. Done here by libwebp's own
//! tool, so that the program need not bring an encoder; the one in Rust alone has neither
//! palettes nor repetitions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::pass_on;
use crate::system::which;

/// Packs the pictures that pages show, and names them so there. What is named by an address
/// for other sites stays PNG, which all of these read.
///
/// Errors: in words; without the tool, pictures stay as they are, which is said.
pub(super) fn pack(site: &Path) -> Result<(), String> {
    if which("cwebp").is_none() {
        println!("! cwebp (of the package webp) is missing: pictures stay a sixth larger.");
        return Ok(());
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
        let packed = picture.with_extension("webp");
        let mut pack = Command::new("cwebp");
        // At its best, a twentieth smaller still, it takes seconds a picture.
        pack.args(["-quiet", "-lossless", "-z", "6"]).arg(&picture).arg("-o").arg(&packed);
        pass_on(&mut pack)?;
        if bytes(&packed) >= bytes(&picture) {
            fs::remove_file(&packed).map_err(|why| told(&packed, &why))?;
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
    pages.iter().try_for_each(|(text, page)| fs::write(page, text).map_err(|why| told(page, &why)))
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
