//! The links to the open page: for a browser, for the program, and the frame that
//! shows its stage in a page of somebody else.

use eframe::egui::{self, Align2, Button, Context, Key, RichText, TextEdit, Ui, vec2};

use crate::theme::{INTERFACE, SMALL, Theme, family};
use crate::top_bar;
use crate::widgets::{Emphasis, Tip as _, note};

/// Width of what is in the window, in points, where there is room.
const WIDTH: f32 = 440.0;
/// Width of the button beside a link.
const COPY: f32 = 56.0;
/// Of a field, beside its text.
const FRAME: f32 = 10.0;

/// The window, and what is typed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkView {
    /// Is it open?
    pub open: bool,
    /// Where the reader’s notebook stands in the web; absent: nowhere that is known.
    pub site: Option<String>,
    /// What is being typed there, and why it is none.
    pub typed: Option<(String, Option<String>)>,
    /// Another link, as it is being typed or pasted.
    pub other: String,
}

/// What the reader has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entered {
    /// The address of a site; empty: none.
    Site(String),
    /// A link to open.
    Link(String),
}

/// What leads to the open page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// `bindpose://…`
    pub program: String,
    /// `https://…`; absent where no site is known.
    pub web: Option<String>,
    /// HTML; absent at the same time.
    pub frame: Option<String>,
    /// Vertices whose edited weights are too many for a link.
    pub weights_left_out: usize,
    /// Is the site one that the reader names?
    pub names_site: bool,
}

impl PageLinks {
    /// The one that most can open.
    pub fn first(&self) -> &str {
        self.web.as_deref().unwrap_or(&self.program)
    }
}

/// Shows the window; gives what was entered in one of its fields.
pub fn ui(ctx: &Context, theme: &Theme, links: &PageLinks, view: &mut LinkView) -> Option<Entered> {
    let mut open = true;
    let mut entered = None;
    let room = ctx.content_rect().width() - 40.0;
    egui::Window::new("Link to this page")
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, top_bar::HEIGHT + 4.0))
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(room));
            let words = "With all values as they are now. Whoever opens it begins there, and \
                changes nothing here.";
            note(ui, theme, words, SMALL, Emphasis::Quiet);
            if links.weights_left_out > 0 {
                let words = format!(
                    "Edited weights of {} vertices are too many for a link, and not in it. Export \
                     saves them as a file, or with the model.",
                    links.weights_left_out
                );
                note(ui, theme, &words, SMALL, Emphasis::Plain);
            }
            if let Some(web) = &links.web {
                row(ui, "In a browser", "link for a browser", web);
            }
            let name = "In the Bindpose program, or pasted into the notebook";
            row(ui, name, "link for the program", &links.program);
            if let Some(frame) = &links.frame {
                let name = "The stage alone, in slides, a blog or a course page (HTML)";
                row(ui, name, "frame for a page", frame);
            }
            other_ui(ui, &mut view.other, &mut entered);
            if links.names_site {
                site_ui(ui, theme, view, &mut entered);
            }
        });
    view.open &= open;
    entered
}

/// A link that can be seen, marked and copied.
fn row(ui: &mut Ui, title: &str, name: &str, link: &str) {
    ui.add_space(10.0);
    heading(ui, title);
    ui.horizontal(|ui| {
        let width = width_beside_button(ui);
        let mut shown = link;
        ui.add(TextEdit::singleline(&mut shown).desired_width(width)).accessible_name(name);
        let copy = ui.button("Copy").accessible_name(format!("Copy the {name}"));
        if copy.clicked() {
            ui.ctx().copy_text(link.to_owned());
        }
    });
}

fn heading(ui: &mut Ui, words: &str) {
    let words = RichText::new(words).size(INTERFACE);
    ui.label(words.family(family::strong()));
}

fn width_beside_button(ui: &Ui) -> f32 {
    ui.available_width() - COPY - FRAME - ui.spacing().item_spacing.x
}

/// The field for a link that somebody else has copied.
fn other_ui(ui: &mut Ui, text: &mut String, entered: &mut Option<Entered>) {
    ui.add_space(12.0);
    let title = "Open another link";
    heading(ui, title);
    ui.horizontal(|ui| {
        let width = width_beside_button(ui);
        let field =
            TextEdit::singleline(text).hint_text("bindpose://… or https://…").desired_width(width);
        let field = ui.add(field).accessible_name("link to open");
        let open = Button::new("Open").min_size(vec2(COPY, 0.0));
        let ready = !text.trim().is_empty();
        let open = ui.add_enabled(ready, open).accessible_name("Open the link").clicked();
        let by_key = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if ready && (open || by_key) {
            *entered = Some(Entered::Link(std::mem::take(text)));
        }
    });
}

/// The field for the address of the reader's own site.
fn site_ui(ui: &mut Ui, theme: &Theme, view: &mut LinkView, entered: &mut Option<Entered>) {
    ui.add_space(12.0);
    let title = "Your notebook in the web, for links that open in a browser";
    heading(ui, title);
    let site = view.site.clone().unwrap_or_default();
    let (text, _) = view.typed.get_or_insert((site, None));
    let field = TextEdit::singleline(text)
        .hint_text("https://example.org/bindpose/")
        .desired_width(f32::INFINITY);
    let field = ui
        .add(field)
        .accessible_name("address of the notebook in the web")
        .tip("As `bindpose serve` prints it, or where you have put the folder of pages.");
    if field.lost_focus() {
        *entered = Some(Entered::Site(text.clone()));
    }
    if let Some((_, Some(wrong))) = &view.typed {
        note(ui, theme, wrong, SMALL, Emphasis::Plain);
    }
}
