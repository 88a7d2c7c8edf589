//! The export menu: the content of the file, its format, and a description.

use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, family};
use bindpose_kit::widgets::{
    Emphasis, SCROLL_BAR_ROOM_PTS, Tip as _, buttons, name_dialog, paragraph_ui,
};
use bindpose_notebook::Derived;
use bindpose_notebook::export::{
    Export, ExportContent, ExportFormat, FilmPlan, HandoutRequest, PaperSize, PictureSize,
    film_size,
};
use bindpose_skin::WeightFormat;
use eframe::egui::{
    self, Align2, Button, Context, Frame, Margin, RichText, ScrollArea, Stroke, Ui, vec2,
};

use crate::top_bar;
use crate::view::ExportMenuState;

/// Maximum width of the content, in points.
const MAX_CONTENT_WIDTH: f32 = 374.0;

/// Height of the window's title, the file's name and the buttons, in points.
const FIXED_HEIGHT: f32 = 190.0;

/// Contents of the page that can be exported.
#[derive(Clone, Debug, Default)]
pub struct ExportSources {
    /// Size of the page's first viewport, in pixels. `None` if there is none or it cannot be
    /// rendered.
    pub size: Option<[u32; 2]>,
    /// Motion for a film. `None` if nothing moves.
    pub film: Option<FilmPlan>,
    /// Base of a handout's file name.
    pub handout: String,
    /// Index in the model's file of the skin whose palette is exported.
    pub skin: usize,
}

impl ExportSources {
    /// Returns the reason why a content cannot be exported now. Returns `None` if it can.
    fn unavailable_reason(&self, content: ExportContent) -> Option<&'static str> {
        match content {
            ExportContent::Viewport | ExportContent::Film if self.size.is_none() => {
                Some("There is no picture on this page.")
            }
            ExportContent::Film if self.film.is_none() => Some("Nothing on this page moves."),
            _ => None,
        }
    }

    /// Describes a picture that is rendered anew. Returns `None` if it is taken from the
    /// screen.
    fn describe_picture(&self, chosen: PictureSize) -> Option<String> {
        let [width, height] = chosen.of(self.size?);
        (chosen != PictureSize::AsShown).then(|| {
            format!(
                "The first picture on the page, drawn anew in {width} × {height} pixels. Joints and marks are left out."
            )
        })
    }

    fn describe_film(&self, chosen: PictureSize) -> String {
        let (Some(plan), Some(size)) = (&self.film, self.size) else {
            return String::new();
        };
        let [width, height] = film_size(size, chosen);
        let frames_per_sec = 100.0 / f64::from(plan.step_cs);
        format!(
            "One round of the {}: {:.1} s, {frames_per_sec:.0} frames a second, {width} × {height} pixels. Joints and marks are left out.",
            plan.title,
            plan.secs(),
        )
    }
}

/// Draws the menu if it is open. Returns the export that the reader confirms.
pub fn ui(
    ctx: &Context,
    theme: &Theme,
    derived: &Derived,
    pictured: &ExportSources,
    menu: &mut ExportMenuState,
) -> Option<Export> {
    if !menu.open {
        return None;
    }
    let mut is_open = true;
    let mut confirmed = None;
    let screen = ctx.content_rect();
    // On a low page the choices scroll. The file's name and the buttons stay visible.
    let max_height = (screen.height() - top_bar::HEIGHT_PTS - FIXED_HEIGHT).max(60.0);
    egui::Window::new("Export")
        .open(&mut is_open)
        .auto_sized()
        .collapsible(false)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, top_bar::HEIGHT_PTS + 4.0))
        .show(ctx, |ui| {
            name_dialog(ui, "Export");
            ui.set_width(MAX_CONTENT_WIDTH.min(screen.width() - 56.0));
            let scroll = ScrollArea::vertical().max_height(max_height).auto_shrink([false, true]);
            scroll.show(ui, |ui| {
                ui.set_width(ui.available_width() - SCROLL_BAR_ROOM_PTS);
                choices_ui(ui, theme, derived, pictured, menu);
                if menu.chosen.content == ExportContent::Handout {
                    handout_choices_ui(ui, theme, &mut menu.handout);
                }
            });
            ui.add_space(8.0);
            let name = file_name(menu.chosen, derived, pictured);
            let can_print = CAN_PRINT && menu.chosen.content == ExportContent::Handout;
            let action = save_row_ui(ui, theme, &name, can_print);
            menu.to_print = action == Some(ExportAction::Print);
            confirmed = action.map(|_| menu.chosen);
        });
    menu.open = is_open && confirmed.is_none();
    confirmed
}

/// Returns the suggested name of the file.
pub fn file_name(chosen: Export, derived: &Derived, pictured: &ExportSources) -> String {
    match chosen.content {
        ExportContent::Handout => chosen.file_name(&pictured.handout),
        _ => chosen.file_name(chosen.of(derived)),
    }
}

fn handout_choices_ui(ui: &mut Ui, theme: &Theme, handout: &mut HandoutRequest) {
    ui.add_space(6.0);
    let options = PaperSize::ALL.map(|paper| (paper, paper.label(), ""));
    if let Some(paper) = buttons::choose_segment(ui, theme, &options, handout.paper, false) {
        handout.paper = paper;
    }
    ui.add_space(4.0);
    ui.checkbox(&mut handout.solutions, "Solutions of the exercises at its end");
}

fn choices_ui(
    ui: &mut Ui,
    theme: &Theme,
    derived: &Derived,
    pictured: &ExportSources,
    menu: &mut ExportMenuState,
) {
    let ExportMenuState { chosen, size, weights, .. } = menu;
    theme.edge_empty_marks(ui);
    for content in ExportContent::ALL {
        let unavailable_reason = pictured.unavailable_reason(content);
        let radio = egui::RadioButton::new(chosen.content == content, content.label());
        let mut response = ui.add_enabled(unavailable_reason.is_none(), radio);
        if let Some(reason) = unavailable_reason {
            response = response.tip_disabled(reason);
        }
        if response.clicked() {
            chosen.content = content;
        }
    }
    // The palette is available on every page.
    if pictured.unavailable_reason(chosen.content).is_some() {
        chosen.content = ExportContent::Palette;
    }
    let formats = chosen.content.formats();
    if !formats.contains(&chosen.format) {
        chosen.format = formats[0];
    }
    ui.add_space(6.0);
    if formats.len() > 1 {
        format_choice_ui(ui, theme, &formats, chosen);
        ui.add_space(6.0);
    }
    if chosen.content == ExportContent::Rig {
        weights_choice_ui(ui, theme, weights);
        ui.add_space(6.0);
    }
    chosen.weights = weights.filter(|_| chosen.content == ExportContent::Rig);
    if has_size(chosen.content) {
        let options = PictureSize::ALL.map(|size| (size, size.label(), ""));
        if let Some(chosen_size) = buttons::choose_segment(ui, theme, &options, *size, false) {
            *size = chosen_size;
        }
        ui.add_space(6.0);
    }
    let description = match chosen.content {
        ExportContent::Film => Some(pictured.describe_film(*size)),
        ExportContent::Viewport => pictured.describe_picture(*size),
        _ => None,
    }
    .unwrap_or_else(|| chosen.about(derived, pictured.skin));
    paragraph_ui(ui, theme, &description, SMALL_SIZE, Emphasis::Plain);
    for left_out in chosen.left_out(derived, pictured.skin) {
        paragraph_ui(ui, theme, &left_out.sentence(), SMALL_SIZE, Emphasis::Plain);
    }
}

/// Returns true for pictures that can be rendered in another size than on the page.
fn has_size(content: ExportContent) -> bool {
    matches!(content, ExportContent::Viewport | ExportContent::Film)
}

/// Draws the choice of the weights' format.
fn weights_choice_ui(ui: &mut Ui, theme: &Theme, weights: &mut Option<WeightFormat>) {
    let tip = "Whole numbers that keep the sum of each vertex";
    let options = [
        (None, "weights as floats", ""),
        (Some(WeightFormat::Bytes), "as bytes", tip),
        (Some(WeightFormat::Shorts), "as shorts", tip),
    ];
    if let Some(chosen) = buttons::choose_segment(ui, theme, &options, *weights, false) {
        *weights = chosen;
    }
}

fn format_choice_ui(ui: &mut Ui, theme: &Theme, formats: &[ExportFormat], chosen: &mut Export) {
    let options: Vec<_> = formats.iter().map(|&format| (format, format.label(), "")).collect();
    if let Some(format) = buttons::choose_segment(ui, theme, &options, chosen.format, false) {
        chosen.format = format;
    }
}

/// True if the program can print. The desktop program cannot, but the browser prints the
/// handout that it saves.
const CAN_PRINT: bool = cfg!(target_arch = "wasm32");

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportAction {
    Save,
    Print,
}

/// Draws the file's name and the buttons. Returns the action of the clicked button.
fn save_row_ui(ui: &mut Ui, theme: &Theme, name: &str, can_print: bool) -> Option<ExportAction> {
    Frame::NONE.fill(theme.paper).corner_radius(6.0).inner_margin(Margin::symmetric(10, 6)).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width());
            let name = RichText::new(name).monospace().size(CAPTION_SIZE).color(theme.quiet);
            ui.add(egui::Label::new(name).truncate());
        },
    );
    ui.add_space(8.0);
    let label = if cfg!(target_arch = "wasm32") { "Download" } else { "Save…" };
    let text = RichText::new(label).family(family::strong()).size(INTERFACE_SIZE);
    let button = Button::new(text.color(theme.on_accent))
        .fill(theme.accent)
        .stroke(Stroke::new(1.0, theme.accent))
        .min_size(vec2(96.0, 32.0));
    let mut action = None;
    ui.horizontal(|ui| {
        if ui.add(button).clicked() {
            action = Some(ExportAction::Save);
        }
        if can_print && ui.button("Print…").clicked() && action.is_none() {
            action = Some(ExportAction::Print);
        }
    });
    action
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::Document;
    use bindpose_rigs::builtin;
    use eframe::egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn pictures_have_a_choice_of_size_and_numbers_have_none() {
        let rig = builtin("arm").unwrap();
        let document = Document::default();
        let derived = Derived::of_document(&document, None, &rig);
        let pictured = ExportSources { size: Some([900, 450]), ..ExportSources::default() };
        let menu = ExportMenuState { open: true, ..ExportMenuState::default() };
        let mut harness = Harness::builder().with_size([800.0, 900.0]).build_ui_state(
            move |page, menu: &mut ExportMenuState| {
                page.ctx().set_fonts(bindpose_kit::theme::fonts());
                ui(page.ctx(), &Theme::light(), &derived, &pictured, menu);
            },
            menu,
        );
        harness.run();
        harness.get_by_label_contains("as you see it, joints and marks with it");
        for (choice, description, size) in [
            ("1920 × 1080", "1920 × 1080 pixels", PictureSize::FullHd),
            ("× 2", "1800 × 900 pixels", PictureSize::Double),
        ] {
            harness.get_by_role_and_label(Role::RadioButton, choice).click();
            harness.run();
            harness.get_by_label_contains(description);
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
