//! Known characters, and where their joints fit.

use bindpose_notebook::known_joint_counts::{JointCountSource, characters};
use eframe::egui::{
    Align2, FontFamily, FontId, Rect, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::storage::{Storage, StorageNumbers};
use crate::PageContext;
use crate::theme::{CAPTION, FINE, SMALL, Theme, family, font};
use crate::widgets::PaintText;

const ROW: f32 = 22.0;

/// A line of the table.
struct CharacterLine<'a> {
    name: &'a str,
    joints: u32,
    /// The skin of this page.
    own: bool,
    typical: bool,
}

pub(super) fn ui(ui: &mut Ui, page: &PageContext<'_>, budget: StorageNumbers) {
    ui.add_space(12.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let theme = page.theme;
    // Wide enough for the marks' heads, and what is left is for the names.
    let width = ui.available_width().min(560.0);
    let column = if width < 420.0 { 50.0 } else { 68.0 };
    title_row(ui, theme, width, column);
    let own = page.derived.rig.skeleton.len();
    let mut lines: Vec<CharacterLine<'_>> = characters()
        .iter()
        .map(|character| CharacterLine {
            name: character.name,
            joints: character.joints,
            own: false,
            typical: character.source == JointCountSource::Typical,
        })
        .collect();
    lines.push(CharacterLine {
        name: "the skin of this page",
        joints: u32::try_from(own).unwrap_or(u32::MAX),
        own: true,
        typical: false,
    });
    lines.sort_by_key(|line| line.joints);
    for line in &lines {
        show(ui, theme, budget, line, width, column);
    }
    ui.add_space(6.0);
    let words = "Filled: all its joints fit. Uniforms as set above, one block and one texture as \
                 WebGL 2 guarantees them. CesiumMan and Fox are counted; those in italics are of \
                 the usual size of their kind.";
    ui.label(theme.caption(words));
}

/// Middle of a mark's column, from the left of the row.
fn middle(width: f32, column: f32, index: usize) -> f32 {
    width - column * (Storage::ALL.len() as f32 - index as f32 - 0.5)
}

fn title_row(ui: &mut Ui, theme: &Theme, width: f32, column: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let font = FontId::proportional(FINE);
    let painter = ui.painter();
    let text = |x: f32, anchor, words: &str| {
        let at = pos2(rect.left() + x, rect.center().y);
        painter.text(at, anchor, words, font.clone(), theme.quiet);
    };
    text(0.0, Align2::LEFT_CENTER, "skin of");
    let left = middle(width, column, 0) - column / 2.0;
    text(left - 8.0, Align2::RIGHT_CENTER, "joints");
    for (index, storage) in Storage::ALL.into_iter().enumerate() {
        let x = middle(width, column, index);
        text(x, Align2::CENTER_CENTER, storage.short());
    }
}

fn show(
    ui: &mut Ui,
    theme: &Theme,
    budget: StorageNumbers,
    line: &CharacterLine<'_>,
    width: f32,
    column: f32,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let fits: Vec<bool> = Storage::ALL
        .iter()
        .map(|storage| line.joints <= storage.capacity(budget).joints())
        .collect();
    response.widget_info(|| {
        let places: Vec<&str> = Storage::ALL
            .iter()
            .zip(&fits)
            .filter(|(_, fits)| **fits)
            .map(|(storage, _)| storage.label())
            .collect();
        let places = if places.is_empty() { "nowhere".to_owned() } else { places.join(", ") };
        let words = format!("{}, {} joints: fits {places}", line.name, line.joints);
        WidgetInfo::labeled(Role::Label, true, words)
    });
    if line.own {
        let ground = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_filled(ground, 3.0, theme.accent_wash);
    }
    let left = middle(width, column, 0) - column / 2.0;
    name(ui, theme, line, rect, left - 44.0);
    let painter = ui.painter();
    let at = pos2(rect.left() + left - 8.0, rect.center().y);
    painter.text_right(at, line.joints, font::mono_strong(CAPTION), theme.ink);
    for (index, &fits) in fits.iter().enumerate() {
        let at = pos2(rect.left() + middle(width, column, index), rect.center().y);
        if fits {
            painter.circle_filled(at, 6.0, theme.right);
        } else {
            painter.circle_stroke(at, 5.0, Stroke::new(1.5, theme.quiet));
        }
    }
}

/// Cut off where there is no room for all of it.
fn name(ui: &Ui, theme: &Theme, line: &CharacterLine<'_>, row: Rect, room: f32) {
    let family = match (line.own, line.typical) {
        (true, _) => family::strong(),
        (_, true) => family::italic(),
        _ => FontFamily::Proportional,
    };
    let (at, font) = (row.left_center(), FontId::new(SMALL, family));
    let painter = ui.painter();
    painter.text_cut(at, line.name, font, theme.ink, room.max(0.0));
}
