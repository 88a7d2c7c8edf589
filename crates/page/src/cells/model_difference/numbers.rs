//! What differs in vertices, weights and clips, as numbers.

use bindpose_diagnostic::{counted, grouped};
use bindpose_notebook::Entity;
use bindpose_notebook::differences::PART;
use bindpose_notebook::model_difference::ModelComparison;
use bindpose_notebook::number_text::{fixed, scientific};
use eframe::egui::{Grid, Link, RichText, Ui};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, Theme, font};

pub(super) fn ui(ui: &mut Ui, id: &str, comparison: &ModelComparison, page: &mut PageContext<'_>) {
    let vertices = &comparison.found.vertices;
    let both = |numbers: [usize; 2]| numbers.map(grouped);
    ui.add_space(6.0);
    Grid::new((id, "numbers")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        head(ui, page.theme, ["", "A", "B"]);
        row(ui, page.theme, "vertices", both(vertices.counts));
        row(ui, page.theme, "triangles", both(vertices.triangles));
        let most = vertices.most_influences;
        row(ui, page.theme, "most influences", both(most));
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let words = format!(
            "Weights differ at {} of {} in the same place in both.",
            grouped(vertices.other_weights),
            counted(vertices.in_one_place, "vertex")
        );
        ui.label(text(&words, page.theme));
        let Some(most) = &vertices.most else { return };
        ui.label(text("Most at", page.theme));
        let name = RichText::new(format!("v{}", most.a)).size(SMALL);
        let link = ui.add(Link::new(name.color(page.theme.accent)));
        if link.has_focus() {
            page.linked.hover(Entity::Vertex(most.a));
        }
        page.link(&link, Entity::Vertex(most.a));
        let [in_a, in_b] = most.weights.map(|weight| fixed(weight.into(), 3));
        let words = format!("of “{}”: {in_a} in A, {in_b} in B.", most.joint);
        ui.label(text(&words, page.theme));
    });
    clips(ui, id, comparison, page.theme);
}

fn text(words: &str, theme: &Theme) -> RichText {
    RichText::new(words).size(SMALL).color(theme.ink)
}

fn head(ui: &mut Ui, theme: &Theme, words: [&str; 3]) {
    for words in words {
        ui.label(theme.caption(words));
    }
    ui.end_row();
}

fn row(ui: &mut Ui, theme: &Theme, what: &str, [a, b]: [String; 2]) {
    ui.label(text(what, theme));
    let differ = a != b;
    for number in [a, b] {
        let number = RichText::new(number).font(if differ {
            font::mono_strong(CAPTION)
        } else {
            font::mono(CAPTION, false)
        });
        ui.label(number.color(theme.ink));
    }
    ui.end_row();
}

fn clips(ui: &mut Ui, id: &str, comparison: &ModelComparison, theme: &Theme) {
    let clips = &comparison.found.clips;
    let rounded = comparison.found.size * PART;
    if clips.is_empty() {
        return;
    }
    ui.add_space(6.0);
    Grid::new((id, "clips")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        head(ui, theme, ["clip", "seconds", "farthest joint"]);
        for clip in clips {
            ui.label(text(&clip.name, theme));
            let [a, b] = clip.durations_secs.map(|secs| fixed(secs.into(), 2));
            let secs = if a == b { a } else { format!("{a} and {b}") };
            ui.label(RichText::new(secs).font(font::mono(CAPTION, false)).color(theme.ink));
            let far = match &clip.at {
                Some((joint, _)) if clip.farthest.is_nan() || clip.farthest > rounded => {
                    format!("{} away (“{joint}”)", scientific(clip.farthest.into()))
                }
                _ => "in the same place".to_owned(),
            };
            ui.label(text(&far, theme));
            ui.end_row();
        }
    });
}
