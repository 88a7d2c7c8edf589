//! The window with links to the open page: for a browser, for the program, and as a frame
//! that embeds the stage in another page.

use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme, family};
use bindpose_kit::widgets::{Emphasis, Tip as _, paragraph_ui};
use eframe::egui::{self, Align2, Button, Context, Key, RichText, TextEdit, Ui, vec2};

use crate::top_bar;

/// Maximum width of the contents of the window, in points.
const MAX_WIDTH_PTS: f32 = 440.0;
/// Width of the button beside a link, in points.
const COPY_BUTTON_WIDTH_PTS: f32 = 56.0;
/// Horizontal padding of a text field, in points.
const FIELD_PADDING_PTS: f32 = 10.0;

/// State of the window and its text fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkWindowState {
    pub open: bool,
    /// Address of the reader's notebook on the web, if known.
    pub site: Option<String>,
    /// Text of the address field, and why it is not a valid address.
    pub edited_site: Option<(String, Option<String>)>,
    /// Text of the field for another link.
    pub other: String,
}

/// Input of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkInput {
    /// Address of a site, or empty to remove it.
    Site(String),
    Link(String),
}

/// Links to the open page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// `bindpose://…`
    pub program: String,
    /// `https://…`, or `None` if no site is known.
    pub web: Option<String>,
    /// HTML of the frame, or `None` if no site is known.
    pub frame: Option<String>,
    /// Number of vertices whose edited weights do not fit into a link.
    pub weights_left_out: usize,
    /// Whether the reader can enter the address of the site.
    pub names_site: bool,
}

impl PageLinks {
    /// Returns the link that most people can open.
    pub fn first(&self) -> &str {
        self.web.as_deref().unwrap_or(&self.program)
    }
}

/// Draws the window. Returns the input of the reader.
pub fn ui(
    ctx: &Context,
    theme: &Theme,
    links: &PageLinks,
    view: &mut LinkWindowState,
) -> Option<LinkInput> {
    let mut open = true;
    let mut entered = None;
    let available_width = ctx.content_rect().width() - 40.0;
    egui::Window::new("Link to this page")
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, top_bar::HEIGHT_PTS + 4.0))
        .show(ctx, |ui| {
            ui.set_width(MAX_WIDTH_PTS.min(available_width));
            let text = "With all values as they are now. Whoever opens it begins there, and \
                changes nothing here.";
            paragraph_ui(ui, theme, text, SMALL_SIZE, Emphasis::Quiet);
            if links.weights_left_out > 0 {
                let text = format!(
                    "Edited weights of {} vertices are too many for a link, and not in it. Export \
                     saves them as a file, or with the model.",
                    links.weights_left_out
                );
                paragraph_ui(ui, theme, &text, SMALL_SIZE, Emphasis::Plain);
            }
            if let Some(web) = &links.web {
                link_row_ui(ui, "In a browser", "link for a browser", web);
            }
            let name = "In the Bindpose program, or pasted into the notebook";
            link_row_ui(ui, name, "link for the program", &links.program);
            if let Some(frame) = &links.frame {
                let name = "The stage alone, in slides, a blog or a course page (HTML)";
                link_row_ui(ui, name, "frame for a page", frame);
            }
            other_link_ui(ui, &mut view.other, &mut entered);
            if links.names_site {
                site_ui(ui, theme, view, &mut entered);
            }
        });
    view.open &= open;
    entered
}

/// Draws a link that can be selected and copied.
fn link_row_ui(ui: &mut Ui, title: &str, name: &str, link: &str) {
    ui.add_space(10.0);
    heading_ui(ui, title);
    ui.horizontal(|ui| {
        let width = width_beside_button(ui);
        let mut text = link;
        ui.add(TextEdit::singleline(&mut text).desired_width(width)).accessible_name(name);
        let copy_button = ui.button("Copy").accessible_name(format!("Copy the {name}"));
        if copy_button.clicked() {
            ui.ctx().copy_text(link.to_owned());
        }
    });
}

fn heading_ui(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).size(INTERFACE_SIZE);
    ui.label(text.family(family::strong()));
}

fn width_beside_button(ui: &Ui) -> f32 {
    ui.available_width() - COPY_BUTTON_WIDTH_PTS - FIELD_PADDING_PTS - ui.spacing().item_spacing.x
}

/// Draws the field for a link that somebody else has sent.
fn other_link_ui(ui: &mut Ui, text: &mut String, entered: &mut Option<LinkInput>) {
    ui.add_space(12.0);
    let title = "Open another link";
    heading_ui(ui, title);
    ui.horizontal(|ui| {
        let width = width_beside_button(ui);
        let field = ui
            .add(
                TextEdit::singleline(text)
                    .hint_text("bindpose://… or https://…")
                    .desired_width(width),
            )
            .accessible_name("link to open");
        let has_text = !text.trim().is_empty();
        let open_button = Button::new("Open").min_size(vec2(COPY_BUTTON_WIDTH_PTS, 0.0));
        let open_clicked =
            ui.add_enabled(has_text, open_button).accessible_name("Open the link").clicked();
        let enter_pressed = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if has_text && (open_clicked || enter_pressed) {
            *entered = Some(LinkInput::Link(std::mem::take(text)));
        }
    });
}

/// Draws the field for the address of the reader's own site.
fn site_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut LinkWindowState,
    entered: &mut Option<LinkInput>,
) {
    ui.add_space(12.0);
    let title = "Your notebook in the web, for links that open in a browser";
    heading_ui(ui, title);
    let site = view.site.clone().unwrap_or_default();
    let (text, _) = view.edited_site.get_or_insert((site, None));
    let field = ui
        .add(
            TextEdit::singleline(text)
                .hint_text("https://example.org/bindpose/")
                .desired_width(f32::INFINITY),
        )
        .accessible_name("address of the notebook in the web")
        .tip("As `bindpose serve` prints it, or where you have put the folder of pages.");
    if field.lost_focus() {
        *entered = Some(LinkInput::Site(text.clone()));
    }
    if let Some((_, Some(error))) = &view.edited_site {
        paragraph_ui(ui, theme, error, SMALL_SIZE, Emphasis::Plain);
    }
}
