//! The menu for files: what, in which format, and a word about what will be in
//! it.

use bindpose_notebook::Derived;
use bindpose_notebook::export::{
    Export, ExportContent, ExportFormat, FilmPlan, HandoutRequest, PaperSize, PictureSize,
    film_size,
};
use bindpose_skin::WeightFormat;
use eframe::egui::{
    self, Align2, Button, Context, Frame, Margin, RichText, ScrollArea, Stroke, Ui, vec2,
};

use crate::theme::{CAPTION, INTERFACE, SMALL, Theme, family};
use crate::top_bar;
use crate::view::ExportMenu;
use crate::widgets::{Emphasis, Tip as _, buttons, name_dialog, note};

/// Width of what is in the menu, in points, where there is room.
const WIDTH: f32 = 374.0;

/// Height of the window's title, the file's name and the button, in points.
const SAVE_HEIGHT: f32 = 190.0;

/// Room for a scroll bar, in points.
const BAR: f32 = 14.0;

/// What there is to make a picture of.
#[derive(Clone, Debug, Default)]
pub struct Pictured {
    /// Pixels of the first viewport on the page; absent: there is none, or
    /// nothing to draw with.
    pub size: Option<[u32; 2]>,
    /// What would move in a film; absent: nothing moves.
    pub film: Option<FilmPlan>,
    /// What a handout would be named after.
    pub handout: String,
    /// The skin whose palette is exported, by its number in the model's file.
    pub skin: usize,
}

impl Pictured {
    /// Why a content cannot be had now; `None`: it can.
    fn lacks(&self, content: ExportContent) -> Option<&'static str> {
        match content {
            ExportContent::Viewport | ExportContent::Film if self.size.is_none() => {
                Some("There is no picture on this page.")
            }
            ExportContent::Film if self.film.is_none() => Some("Nothing on this page moves."),
            _ => None,
        }
    }

    /// Of a picture that is not taken from the screen; absent: it is.
    fn about_picture(&self, chosen: PictureSize) -> Option<String> {
        let [width, height] = chosen.of(self.size?);
        (chosen != PictureSize::AsShown).then(|| {
            format!(
                "The first picture on the page, drawn anew in {width} × {height} pixels. Joints and marks are left out."
            )
        })
    }

    fn about_film(&self, chosen: PictureSize) -> String {
        let (Some(plan), Some(size)) = (&self.film, self.size) else {
            return String::new();
        };
        let [width, height] = film_size(size, chosen);
        let per_sec = 100.0 / f64::from(plan.step_cs);
        format!(
            "One round of the {}: {:.1} s, {per_sec:.0} frames a second, {width} × {height} pixels. Joints and marks are left out.",
            plan.title,
            plan.secs(),
        )
    }
}

/// Shows the menu if it is open; answers with what is to be saved.
pub fn ui(
    ctx: &Context,
    theme: &Theme,
    derived: &Derived,
    pictured: &Pictured,
    menu: &mut ExportMenu,
) -> Option<Export> {
    if !menu.open {
        return None;
    }
    let mut open = true;
    let mut wanted = None;
    let screen = ctx.content_rect();
    // What is chosen scrolls where it must; name and button stay in view.
    let low = (screen.height() - top_bar::HEIGHT - SAVE_HEIGHT).max(60.0);
    egui::Window::new("Export")
        .open(&mut open)
        .auto_sized()
        .collapsible(false)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, top_bar::HEIGHT + 4.0))
        .show(ctx, |ui| {
            name_dialog(ui, "Export");
            ui.set_width(WIDTH.min(screen.width() - 56.0));
            ScrollArea::vertical().max_height(low).auto_shrink([false, true]).show(ui, |ui| {
                // The bar must not lie on what can be clicked.
                ui.set_width(ui.available_width() - BAR);
                choices(ui, theme, derived, pictured, menu);
                if menu.chosen.content == ExportContent::Handout {
                    handout_choices(ui, theme, &mut menu.handout);
                }
            });
            ui.add_space(8.0);
            let name = file_name(menu.chosen, derived, pictured);
            let prints = PRINTS && menu.chosen.content == ExportContent::Handout;
            let done = save_row(ui, theme, &name, prints);
            menu.to_print = done == Some(ExportDone::Print);
            wanted = done.map(|_| menu.chosen);
        });
    menu.open = open && wanted.is_none();
    wanted
}

/// What the file is called.
pub fn file_name(chosen: Export, derived: &Derived, pictured: &Pictured) -> String {
    match chosen.content {
        ExportContent::Handout => chosen.file_name(&pictured.handout),
        _ => chosen.file_name(chosen.of(derived)),
    }
}

/// Paper and solutions.
fn handout_choices(ui: &mut Ui, theme: &Theme, handout: &mut HandoutRequest) {
    ui.add_space(6.0);
    let options = PaperSize::ALL.map(|paper| (paper, paper.label(), ""));
    let paper = buttons::choose_segment(ui, theme, &options, handout.paper, false);
    handout.paper = paper.unwrap_or(handout.paper);
    ui.add_space(4.0);
    ui.checkbox(&mut handout.solutions, "Solutions of the exercises at its end");
}

fn choices(
    ui: &mut Ui,
    theme: &Theme,
    derived: &Derived,
    pictured: &Pictured,
    menu: &mut ExportMenu,
) {
    let ExportMenu { chosen, size, weights, .. } = menu;
    theme.edge_empty_marks(ui);
    for content in ExportContent::ALL {
        let lacks = pictured.lacks(content);
        let radio = egui::RadioButton::new(chosen.content == content, content.label());
        let response = ui.add_enabled(lacks.is_none(), radio);
        let response = match lacks {
            Some(why) => response.tip_disabled(why),
            None => response,
        };
        if response.clicked() {
            chosen.content = content;
        }
    }
    // A page without pictures has numbers all the same.
    if pictured.lacks(chosen.content).is_some() {
        chosen.content = ExportContent::Palette;
    }
    let formats = chosen.content.formats();
    if !formats.contains(&chosen.format) {
        chosen.format = formats[0];
    }
    ui.add_space(6.0);
    if formats.len() > 1 {
        choose_format(ui, theme, &formats, chosen);
        ui.add_space(6.0);
    }
    if chosen.content == ExportContent::Rig {
        choose_weights(ui, theme, weights);
        ui.add_space(6.0);
    }
    chosen.weights = weights.filter(|_| chosen.content == ExportContent::Rig);
    if has_size(chosen.content) {
        let options = PictureSize::ALL.map(|size| (size, size.label(), ""));
        let chosen = buttons::choose_segment(ui, theme, &options, *size, false);
        *size = chosen.unwrap_or(*size);
        ui.add_space(6.0);
    }
    let about = match chosen.content {
        ExportContent::Film => Some(pictured.about_film(*size)),
        ExportContent::Viewport => pictured.about_picture(*size),
        _ => None,
    };
    let about = about.unwrap_or_else(|| chosen.about(derived, pictured.skin));
    note(ui, theme, &about, SMALL, Emphasis::Plain);
    for left_out in chosen.left_out(derived, pictured.skin) {
        note(ui, theme, &left_out.sentence(), SMALL, Emphasis::Plain);
    }
}

/// Is it a picture that can be drawn in another size than it has on the page?
fn has_size(content: ExportContent) -> bool {
    matches!(content, ExportContent::Viewport | ExportContent::Film)
}

/// How the file has its weights.
fn choose_weights(ui: &mut Ui, theme: &Theme, weights: &mut Option<WeightFormat>) {
    let kept = "Whole numbers that keep the sum of each vertex";
    let options = [
        (None, "weights as floats", ""),
        (Some(WeightFormat::Bytes), "as bytes", kept),
        (Some(WeightFormat::Shorts), "as shorts", kept),
    ];
    let chosen = buttons::choose_segment(ui, theme, &options, *weights, false);
    *weights = chosen.unwrap_or(*weights);
}

fn choose_format(ui: &mut Ui, theme: &Theme, formats: &[ExportFormat], chosen: &mut Export) {
    let options: Vec<_> = formats.iter().map(|&f| (f, f.label(), "")).collect();
    let format = buttons::choose_segment(ui, theme, &options, chosen.format, false);
    chosen.format = format.unwrap_or(chosen.format);
}

/// Does the program print by itself? Elsewhere a browser does.
const PRINTS: bool = cfg!(target_arch = "wasm32");

/// What is done with the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportDone {
    Save,
    Print,
}

/// The file's name and the buttons.
fn save_row(ui: &mut Ui, theme: &Theme, name: &str, prints: bool) -> Option<ExportDone> {
    Frame::NONE.fill(theme.paper).corner_radius(6.0).inner_margin(Margin::symmetric(10, 6)).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width());
            let name = RichText::new(name).monospace().size(CAPTION).color(theme.quiet);
            ui.add(egui::Label::new(name).truncate());
        },
    );
    ui.add_space(8.0);
    let words = if cfg!(target_arch = "wasm32") { "Download" } else { "Save…" };
    let words =
        RichText::new(words).family(family::strong()).size(INTERFACE).color(theme.on_accent);
    let button = Button::new(words)
        .fill(theme.accent)
        .stroke(Stroke::new(1.0, theme.accent))
        .min_size(vec2(96.0, 32.0));
    ui.horizontal(|ui| {
        let save = ui.add(button).clicked().then_some(ExportDone::Save);
        let print = prints && ui.button("Print…").clicked();
        save.or(print.then_some(ExportDone::Print))
    })
    .inner
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_notebook::Document;
    use eframe::egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn pictures_are_saved_in_a_size_of_choice_and_numbers_have_none() {
        let (rig, document) = (builtin("arm").unwrap(), Document::default());
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let pictured = Pictured { size: Some([900, 450]), ..Pictured::default() };
        let menu = ExportMenu { open: true, ..ExportMenu::default() };
        let mut harness = Harness::builder().with_size([800.0, 900.0]).build_ui_state(
            move |page, menu: &mut ExportMenu| {
                page.ctx().set_fonts(crate::theme::fonts());
                ui(page.ctx(), &Theme::light(), &derived, &pictured, menu);
            },
            menu,
        );
        harness.run();
        harness.get_by_label_contains("as you see it, joints and marks with it");
        for (choice, told, size) in [
            ("1920 × 1080", "1920 × 1080 pixels", PictureSize::FullHd),
            ("× 2", "1800 × 900 pixels", PictureSize::Double),
        ] {
            harness.get_by_role_and_label(Role::RadioButton, choice).click();
            harness.run();
            harness.get_by_label_contains(told);
            assert_eq!(harness.state().size, size);
        }
        harness.get_by_label("Rig with skeleton").click();
        harness.run();
        harness.get_by_role_and_label(Role::RadioButton, "as bytes").click();
        harness.run();
        harness.get_by_label_contains("add up to 255 on every vertex");
        assert_eq!(harness.state().chosen.key(), "rig-glb-bytes");
        harness.get_by_label("Picture of the page").click();
        harness.run();
        assert!(harness.query_by_label("× 2").is_none());
        assert_eq!(harness.state().chosen.weights, None);
    }
}
