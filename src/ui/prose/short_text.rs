//! Short strings with a little markup, where a lesson gives no blocks:
//! captions, claims, corrections.

use eframe::egui::{Response, Role, Ui, WidgetInfo};

use super::inline::push_math;
use super::paragraph;
use super::typeset::{Face, Run};
use crate::ui::math::spoken;
use crate::ui::theme::Theme;

/// A piece of such a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Words(&'a str),
    Strong(&'a str),
    Emphasis(&'a str),
    Code(&'a str),
    Math(&'a str),
}

/// Text with `` `code` ``, `$mathematics$`, `**strong**` and `*emphasis*`, but
/// no links, wrapped at the available width.
pub fn inline_text_ui(ui: &mut Ui, text: &str, face: Face, theme: &Theme) -> Response {
    let room = ui.available_width();
    let mut run = Run::new(face);
    let mut words = String::new();
    for piece in pieces(text) {
        match piece {
            Piece::Words(text) => run.words(text, false, false, face.color),
            Piece::Strong(text) => run.words(text, true, false, face.color),
            Piece::Emphasis(text) => run.words(text, false, true, face.color),
            Piece::Code(text) => run.code(text, theme.ink),
            Piece::Math(tex) => push_math(ui, &mut run, tex, face.color, room, theme.wrong),
        }
        match piece {
            Piece::Math(tex) => words.push_str(&spoken(tex)),
            Piece::Words(text)
            | Piece::Strong(text)
            | Piece::Emphasis(text)
            | Piece::Code(text) => words.push_str(text),
        }
    }
    let set = run.set(ui, room);
    let size = eframe::egui::vec2(set.width(), set.height());
    let (rect, response) = ui.allocate_exact_size(size, paragraph::text_sense(ui));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    if ui.is_rect_visible(rect) {
        paragraph::paint_text(ui, &response, rect.min, &set, theme, Vec::new());
    }
    response
}

/// Splits at the markers; one without its partner is just a character.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    type Make = for<'t> fn(&'t str) -> Piece<'t>;
    const MARKERS: [(&str, Make); 4] = [
        ("`", |text| Piece::Code(text)),
        ("$", |text| Piece::Math(text)),
        ("**", |text| Piece::Strong(text)),
        ("*", |text| Piece::Emphasis(text)),
    ];
    let mut out = Vec::new();
    let mut words = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['`', '$', '*']) {
        let start = at + found;
        let marked = MARKERS.iter().find_map(|(marker, make)| {
            let inside = text[start..].strip_prefix(marker)?;
            let length = inside.find(marker)?;
            let closed = length > 0 && !inside.starts_with(' ');
            closed.then(|| (make(&inside[..length]), length + 2 * marker.len()))
        });
        let Some((piece, length)) = marked else {
            at = start + 1;
            continue;
        };
        if words < start {
            out.push(Piece::Words(&text[words..start]));
        }
        out.push(piece);
        at = start + length;
        words = at;
    }
    if words < text.len() {
        out.push(Piece::Words(&text[words..]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_mark_and_lone_ones_are_characters() {
        assert_eq!(
            pieces("a `b` $c$ **d** *e*"),
            [
                Piece::Words("a "),
                Piece::Code("b"),
                Piece::Words(" "),
                Piece::Math("c"),
                Piece::Words(" "),
                Piece::Strong("d"),
                Piece::Words(" "),
                Piece::Emphasis("e"),
            ]
        );
        for plain in ["2 * 3 * 4", "5 $", "a ` b", "**", ""] {
            assert!(
                pieces(plain)
                    .iter()
                    .all(|piece| matches!(piece, Piece::Words(_))),
                "{plain}"
            );
        }
    }
}
