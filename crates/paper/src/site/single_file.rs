//! A site in a single file, which needs no server.

use std::fmt::Write as _;
use std::io::Write as _;

use bindpose_gltf::base64_text;
use bindpose_lesson::LessonSet;
use bindpose_notebook::NOTEBOOK_TITLE;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use super::template::{fill_template, script_json};
use super::{DESCRIPTION, ICON_SVG, MODULES, SiteParts, page_style};
use crate::handout::{HtmlTarget, SiteTextSources, all_lessons_html, escaped};

/// Builds a site as one HTML file with the text of all lessons.
pub fn one_file(parts: SiteParts<'_>) -> String {
    let contents = contents_html(parts.set);
    let lessons = all_lessons_html(SiteTextSources {
        set: parts.set,
        look: &parts.look,
        rigs: parts.rigs,
        pictures: parts.pictures,
        picture_url: &mut |format, bytes| data_url(format.media_type(), bytes),
    });
    let mut assets = Map::new();
    for (key, bytes) in parts.fetched {
        assets.insert(key, Value::String(data_url("application/octet-stream", &bytes)));
    }
    let mut modules = Map::new();
    for (name, text) in MODULES {
        modules.insert(name.to_owned(), Value::from(text));
    }
    modules.insert("glue".to_owned(), Value::from(parts.program.glue));
    let program = json!({
        "wasm": base64_text(&gzip(&parts.program.wasm)),
        "modules": modules,
        "start": include_str!("../../../../web/page/start.js"),
    });
    fill_template(
        include_str!("../../../../web/page/one-file.html"),
        &[
            ("title", NOTEBOOK_TITLE),
            ("description", DESCRIPTION),
            ("version", env!("CARGO_PKG_VERSION")),
            ("icon", &data_url("image/svg+xml", ICON_SVG.as_bytes())),
            ("css", &page_style(&parts.look)),
            ("text", &format!("{contents}{lessons}</main>\n")),
            ("assets", &script_json(&Value::Object(assets))),
            ("program", &script_json(&program)),
            ("script", include_str!("../../../../web/page/text.js")),
            ("unpack", include_str!("../../../../web/page/one-file.js")),
        ],
    )
}

/// Returns the heading and the list of lessons. Leaves `main` open for the text of the lessons.
fn contents_html(set: &LessonSet) -> String {
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
            escaped(&HtmlTarget::SingleFile.lesson_url(lesson, None)),
            escaped(&lesson.title),
            lesson.minutes,
            escaped(&lesson.about)
        );
    }
    out.push_str("</ol></nav>\n");
    out
}

fn data_url(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", base64_text(bytes))
}

/// Compresses without a timestamp, so that equal input gives equal bytes.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.expect("a vector takes all bytes")
}
