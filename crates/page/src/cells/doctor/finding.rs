//! One finding as a card.

use bindpose_asset::RigOrigin;
use bindpose_diagnostic::{Diagnostic, Place, Severity};
use bindpose_notebook::Entity;
use bindpose_notebook::number_text::grouped;
use eframe::egui::{
    Align, Button, Color32, FontId, Layout, Rect, RichText, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::place;
use crate::theme::{CAPTION, FINE, INTERFACE, SMALL, Theme, font};
use crate::widgets::PaintText;
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Tone, card, note};
use crate::{PageContext, diagnostic};

const LABEL: f32 = 72.0;
const ICON: f32 = 18.0;
/// Under this width, labels stand above what they label.
const NARROW: f32 = 300.0;

/// Draws it.
pub(super) fn ui(
    ui: &mut Ui,
    finding: &Diagnostic,
    origin: &RigOrigin,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let tone = match finding.severity {
        Severity::Error => Tone::Wrong,
        Severity::Warning => Tone::Caution,
        Severity::Note => Tone::Quiet,
    };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
        heading(ui, theme, finding);
        note(ui, theme, &finding.title, INTERFACE, Emphasis::Strong);
        places(ui, finding, origin, page);
        row(ui, theme, "expected", &finding.expected);
        row(ui, theme, "found", &finding.found);
        row(ui, theme, "effect", &finding.effect);
        row(ui, theme, "remedy", &finding.help);
        if let Some(slug) = finding.lesson {
            diagnostic::lesson_link(ui, slug, page);
        }
    });
}

/// Severity, as shape and word and colour, and the code.
fn heading(ui: &mut Ui, theme: &Theme, finding: &Diagnostic) {
    ui.horizontal_wrapped(|ui| {
        let color = diagnostic::color(theme, finding.severity);
        let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
        paint_icon(ui, theme, rect, finding.severity, color);
        let severity = RichText::new(finding.severity.key());
        ui.label(severity.font(font::strong(CAPTION)).color(color));
        let code = RichText::new(finding.code).monospace().size(FINE);
        ui.label(code.color(theme.quiet));
        if finding.count > 1 {
            let count = u32::try_from(finding.count).unwrap_or(u32::MAX);
            ui.label(theme.caption(format!("{} places", grouped(count))));
        }
    });
}

/// An octagon, a triangle, a disc: told apart without colour.
fn paint_icon(ui: &Ui, theme: &Theme, rect: Rect, severity: Severity, color: Color32) {
    let (center, radius) = (rect.center(), rect.height() / 2.0 - 1.0);
    let (corners, letter, drop) = match severity {
        Severity::Error => {
            let corner = |k: usize| {
                let angle = (k as f32 + 0.5) * std::f32::consts::TAU / 8.0;
                center + radius * vec2(angle.cos(), angle.sin())
            };
            ((0..8).map(corner).collect(), "×", 0.0)
        }
        Severity::Warning => {
            let corners = vec![
                pos2(center.x, center.y - radius),
                pos2(center.x + radius, center.y + radius - 1.0),
                pos2(center.x - radius, center.y + radius - 1.0),
            ];
            (corners, "!", 1.5)
        }
        Severity::Note => (Vec::new(), "i", 0.0),
    };
    ui.painter().add(if corners.is_empty() {
        Shape::circle_filled(center, radius, color)
    } else {
        Shape::convex_polygon(corners, color, Stroke::NONE)
    });
    ui.painter().text_centered(
        center + vec2(0.0, drop),
        letter,
        font::strong(FINE),
        theme.on(color),
    );
}

/// The pointer, and what of it the rig has.
fn places(ui: &mut Ui, finding: &Diagnostic, origin: &RigOrigin, page: &mut PageContext<'_>) {
    let place = place::place_of(finding, &page.derived.rig, origin);
    ui.horizontal_wrapped(|ui| {
        let (words, vertex, joint) = match &finding.at {
            Place::Model(at) if at.pointer.is_empty() => {
                ("the file as a whole".to_owned(), at.vertex, at.joint)
            }
            Place::Model(at) => (at.pointer.clone(), at.vertex, at.joint),
            other => (other.to_string(), None, None),
        };
        let text = RichText::new(words).font(FontId::monospace(CAPTION));
        ui.label(text.color(page.theme.ink));
        if let Some(vertex) = vertex {
            let words = format!("vertex {vertex}");
            chip(ui, page, &words, place.vertex.map(Entity::Vertex));
        }
        if let Some(joint) = joint.or(place.joint.map(|joint| joint.0.into())) {
            let words = format!("joint {joint}");
            chip(ui, page, &words, place.joint.map(Entity::Joint));
        }
    });
}

/// Lights up what it names, and chooses it when clicked; words alone where the
/// rig has no such thing.
fn chip(ui: &mut Ui, page: &mut PageContext<'_>, words: &str, entity: Option<Entity>) {
    let text = page.theme.caption(words);
    let Some(entity) = entity else {
        ui.label(text);
        return;
    };
    let lit = page.linked.is_lit(entity);
    let button = Button::selectable(lit, text.color(page.theme.accent));
    let response = ui.add(button.frame_when_inactive(true)).tip("Choose it: the viewport marks it");
    page.link(&response, entity);
}

fn row(ui: &mut Ui, theme: &Theme, label: &str, words: &str) {
    if words.is_empty() {
        return;
    }
    let label = theme.caption(label);
    if ui.available_width() < NARROW {
        ui.label(label);
        note(ui, theme, words, SMALL, Emphasis::Plain);
        return;
    }
    ui.horizontal_top(|ui| {
        let column = Layout::top_down(Align::Min);
        ui.allocate_ui_with_layout(vec2(LABEL, 20.0), column, |ui| {
            ui.set_min_width(LABEL);
            // On the line of the words beside it, which are larger.
            ui.add_space(2.0);
            ui.label(label);
        });
        ui.vertical(|ui| note(ui, theme, words, SMALL, Emphasis::Plain));
    });
}
