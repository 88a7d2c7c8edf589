//! The page of a lesson around its text, and metadata for search engines and link previews.

use std::fmt::Write as _;

use bindpose_lesson::{Lesson, LessonSet};

use super::SiteFile;
use crate::handout::{HtmlTarget, escaped};

/// Returns the text of a lesson between the links to other lessons.
pub(super) fn lesson_body_html(set: &LessonSet, lesson_index: usize, text: &str) -> String {
    let mut out = String::from(
        "<nav class=\"bar\" aria-label=\"Lessons\"><a class=\"home\" href=\"../\">Bindpose</a>\n\
         <details><summary>All lessons</summary><ol>\n",
    );
    for (index, lesson) in set.lessons.iter().enumerate() {
        let current = if index == lesson_index { " aria-current=\"page\"" } else { "" };
        let _ = writeln!(
            out,
            "<li><a href=\"{}\"{current}>{} {}</a></li>",
            escaped(&HtmlTarget::SitePages.lesson_url(lesson, None)),
            lesson.number,
            escaped(&lesson.title)
        );
    }
    let _ = write!(out, "</ol></details></nav>\n<main>\n{text}</main>\n");
    out.push_str("<nav class=\"pager\" aria-label=\"Other lessons\">");
    let previous = lesson_index.checked_sub(1).and_then(|index| set.lessons.get(index));
    let next = set.lessons.get(lesson_index + 1);
    for (lesson, rel, words) in [(previous, "prev", "Before"), (next, "next", "Next")] {
        if let Some(lesson) = lesson {
            let _ = write!(
                out,
                "<a rel=\"{rel}\" href=\"{}\">{words}: {}</a>",
                escaped(&HtmlTarget::SitePages.lesson_url(lesson, None)),
                escaped(&lesson.title)
            );
        }
    }
    out.push_str("</nav>\n");
    out.push_str(
        "<noscript><footer class=\"foot\"><p>This is the text of an interactive notebook, with \
         its pictures as each step opens. To run, the notebook needs JavaScript, which is \
         switched off here, WebAssembly and WebGL 2.</p></footer></noscript>\n",
    );
    out
}

/// Returns the description of a lesson in search results and link previews.
pub(super) fn lesson_description(lesson: &Lesson) -> String {
    format!("Lesson {}: {}. {}", lesson.number, lesson.title, lesson.about)
}

/// Returns the metadata of a page for link previews, by the Open Graph protocol
/// (<https://ogp.me>), and its canonical URL.
///
/// `title` and `description` are escaped HTML. `site_url` is the address of the site, without which
/// the tags with URLs are omitted. `folder` is the path of the page and `picture` that of its
/// preview image, relative to the site.
pub(super) fn preview_tags(
    title: &str,
    description: &str,
    site_url: Option<&str>,
    folder: &str,
    picture: Option<&str>,
) -> String {
    let mut out = String::new();
    write_open_graph_tag(&mut out, "type", "article");
    write_open_graph_tag(&mut out, "site_name", "Bindpose");
    write_open_graph_tag(&mut out, "title", title);
    write_open_graph_tag(&mut out, "description", description);
    let Some(site_url) = site_url.map(escaped) else {
        return out;
    };
    write_open_graph_tag(&mut out, "url", &format!("{site_url}{folder}"));
    if let Some(picture) = picture {
        write_open_graph_tag(&mut out, "image", &format!("{site_url}{picture}"));
        out.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">\n");
    }
    let _ = writeln!(out, "<link rel=\"canonical\" href=\"{site_url}{folder}\">");
    out
}

fn write_open_graph_tag(out: &mut String, property: &str, content: &str) {
    let _ = writeln!(out, "<meta property=\"og:{property}\" content=\"{content}\">");
}

/// Returns the sitemap (<https://www.sitemaps.org>) and the `robots.txt` that links to it.
pub(super) fn search_engine_files(site_url: &str, folders: &[&str]) -> [SiteFile; 2] {
    let mut urls = String::new();
    for folder in folders {
        let _ = writeln!(urls, "<url><loc>{}{}</loc></url>", escaped(site_url), escaped(folder));
    }
    let sitemap = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    let robots = format!("User-agent: *\nAllow: /\nSitemap: {site_url}sitemap.xml\n");
    [
        SiteFile { path: "sitemap.xml".to_owned(), bytes: sitemap.into_bytes() },
        SiteFile { path: "robots.txt".to_owned(), bytes: robots.into_bytes() },
    ]
}
