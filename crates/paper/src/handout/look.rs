//! What a handout is handed from the page's theme: colours by role, and the faces
//! of its formulas.

use std::fmt::Write as _;

/// Colours of both themes, and the faces.
#[derive(Clone)]
pub struct HandoutLook {
    /// For paper, and for a light screen.
    pub light: Roles,
    /// For a dark screen.
    pub dark: Roles,
    /// The bytes of a face, by the name that formulas give it; `regular` is that
    /// of the text.
    pub face: fn(&str) -> Option<&'static [u8]>,
}

/// Red, green and blue of each role, by its name in the style sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(pub Vec<(String, [u8; 3])>);

const STYLE: &str = include_str!("page.css");

/// The style sheet with its colours, and with the size of the paper as CSS calls
/// it.
pub(super) fn style(look: &HandoutLook, paper: &str) -> String {
    let colors = colors(look);
    format!("{colors}@page{{size:{paper};margin:16mm 18mm}}\n{STYLE}")
}

/// The style sheet of a site's texts, with its colours.
pub fn site_style(look: &HandoutLook) -> String {
    let colors = colors(look);
    format!("{colors}@page{{margin:16mm 18mm}}\n{STYLE}")
}

fn colors(look: &HandoutLook) -> String {
    let (light, dark) = (variables(&look.light), variables(&look.dark));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
}

fn variables(roles: &Roles) -> String {
    let mut out = String::new();
    for (name, [r, g, b]) in &roles.0 {
        let _ = write!(out, "--{name}:#{r:02x}{g:02x}{b:02x};");
    }
    out
}
