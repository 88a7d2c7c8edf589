//! A site that is one file, and needs no server.

use std::fmt::Write as _;
use std::io::Write as _;

use bindpose_asset::base64_text;
use bindpose_lesson::LessonSet;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use super::SiteParts;
use super::folder::{DESCRIPTION, MODULES, TITLE, style};
use super::template::{ICON, fill, json};
use crate::handout::{HtmlPlace, SiteText, all_texts, escaped};

/// The site as one HTML file, with the texts of all lessons. Of the pictures of
/// cells it has none: the notebook draws them.
pub fn one_file(parts: SiteParts<'_>) -> String {
    let style = style(&parts);
    let icon = data_url("image/svg+xml", ICON.as_bytes());
    let contents = contents(parts.set);
    let texts = all_texts(SiteText {
        set: parts.set,
        look: &parts.look,
        rigs: parts.rigs,
        pictures: parts.pictures,
        address: &mut |format, bytes| data_url(format.media_type(), bytes),
    });
    let fetched = parts.fetched.into_iter();
    let fetched = fetched.map(|(key, bytes)| {
        let url = data_url("application/octet-stream", &bytes);
        (key, Value::String(url))
    });
    let mut modules: Map<String, Value> =
        MODULES.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    modules.insert("glue".to_owned(), Value::from(parts.program.glue));
    let program = json!({
        "wasm": base64_text(&packed(&parts.program.wasm)),
        "modules": modules,
        "start": include_str!("../../../../web/page/start.js"),
    });
    fill(
        include_str!("../../../../web/page/one-file.html"),
        &[
            ("title", TITLE),
            ("description", DESCRIPTION),
            ("version", env!("CARGO_PKG_VERSION")),
            ("icon", &icon),
            ("css", &style),
            ("text", &format!("{contents}{texts}</main>\n")),
            ("assets", &json(&Value::Object(fetched.collect()))),
            ("program", &json(&program)),
            ("script", include_str!("../../../../web/page/text.js")),
            ("unpack", include_str!("../../../../web/page/one-file.js")),
        ],
    )
}

/// The head of the text, with ways to all lessons; the main part stays open.
fn contents(set: &LessonSet) -> String {
    let mut out = String::from(
        "<main>\n<header>\n<h1>Bindpose</h1>\n\
         <p class=\"lead\">An interactive notebook that teaches vertex skinning.</p>\n\
         <noscript><p>This is its text. To run, it needs JavaScript, which is switched off \
         here, WebAssembly and WebGL 2.</p></noscript>\n</header>\n\
         <nav aria-label=\"Lessons\"><ol class=\"lessons\">\n",
    );
    for lesson in &set.lessons {
        let _ = writeln!(
            out,
            "<li><span class=\"number-of\">{}</span><div><a href=\"{}\">{}</a> \
             <span class=\"minutes\">{} min</span><p>{}</p></div></li>",
            lesson.number,
            escaped(&HtmlPlace::OneFile.lesson_url(lesson, None)),
            escaped(&lesson.title),
            lesson.minutes,
            escaped(&lesson.about)
        );
    }
    out.push_str("</ol></nav>\n");
    out
}

fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64_text(bytes))
}

/// Gzipped, the same bytes each time.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let written = packer.write_all(bytes).and_then(|()| packer.finish());
    written.expect("a vector takes all bytes")
}
