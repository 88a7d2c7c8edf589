//! HTML escaping, style sheets, and the ids and links of steps.

use std::borrow::Cow;
use std::fmt::Write as _;

use bindpose_lesson::Lesson;

/// Escapes text for HTML, including the value of a quoted attribute.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Escapes a short text and marks up its code spans, which are written `` `code` ``.
pub(crate) fn code_spans_html(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        // Every second part is between backticks.
        if index % 2 == 1 {
            out.push_str("<code>");
            out.push_str(&escaped(part));
            out.push_str("</code>");
        } else {
            out.push_str(&escaped(part));
        }
    }
    out
}

/// Returns a self-contained HTML file. `body` starts with its opening tag and has no closing tag.
pub(crate) fn html_file(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Bindpose {}\">\n<title>{}</title>\n\
         <style>\n{style}</style>\n</head>\n{body}</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
    )
}

// ----------------------------------------------------------------------------

/// The document that the HTML becomes part of. Determines the ids of steps and the links to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HtmlTarget {
    /// A handout to print.
    Paper,
    /// A site with a folder per lesson.
    SitePages,
    /// A site in a single file.
    SingleFile,
}

impl HtmlTarget {
    /// Returns the id of a step's element, used as the fragment of links to it.
    ///
    /// In a site it equals the fragment that the notebook shows in the address bar. A browser can
    /// therefore scroll to the step before the notebook runs, without any script.
    pub fn step_id(self, lesson: &Lesson, step: usize) -> String {
        let step = lesson.steps.get(step).map_or("", |step| &step.slug);
        match self {
            Self::Paper => format!("{}.{step}", lesson.slug),
            Self::SitePages => format!("step={step}"),
            Self::SingleFile => format!("lesson={}&step={step}", lesson.slug),
        }
    }

    /// Returns the URL of a lesson or of one of its steps, relative to the page of any lesson.
    pub fn lesson_url(self, lesson: &Lesson, step: Option<usize>) -> String {
        let fragment = step.map(|step| format!("#{}", self.step_id(lesson, step)));
        match self {
            Self::Paper => fragment.unwrap_or_default(),
            Self::SitePages => {
                format!("../{}/{}", lesson.site_folder(), fragment.unwrap_or_default())
            }
            Self::SingleFile => fragment.unwrap_or_else(|| format!("#lesson={}", lesson.slug)),
        }
    }
}

// ----------------------------------------------------------------------------

/// Colors and fonts, taken from the theme of the page.
#[derive(Clone)]
pub struct HandoutLook {
    /// Colors on paper and on screens in light mode.
    pub light: RoleColors,
    /// Colors on screens in dark mode.
    pub dark: RoleColors,
    /// Returns the font file for a font name of the formula layout. `regular` is the text font.
    pub face: fn(&str) -> Option<&'static [u8]>,
}

/// Colors as red, green and blue, each with its variable name in the style sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleColors(pub Vec<(String, [u8; 3])>);

const STYLE: &str = include_str!("page.css");

/// Returns the style sheet of a handout. `paper` is a page size as CSS names it, such as `a4`.
pub(crate) fn handout_style(look: &HandoutLook, paper: &str) -> String {
    format!("{}@page{{size:{paper};margin:16mm 18mm}}\n{STYLE}", color_rules(look))
}

/// Returns the style sheet of a site's texts.
pub fn site_style(look: &HandoutLook) -> String {
    format!("{}@page{{margin:16mm 18mm}}\n{STYLE}", color_rules(look))
}

fn color_rules(look: &HandoutLook) -> String {
    let light = color_variables(&look.light);
    let dark = color_variables(&look.dark);
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
}

fn color_variables(roles: &RoleColors) -> String {
    let mut out = String::new();
    for (name, [r, g, b]) in &roles.0 {
        let _ = write!(out, "--{name}:#{r:02x}{g:02x}{b:02x};");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escaped("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(escaped("\"'>"), "&quot;&#39;&gt;");
        assert_eq!(code_spans_html("a `<b>` c"), "a <code>&lt;b&gt;</code> c");
    }
}
