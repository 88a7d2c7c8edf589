//! What stands over the page in a class: how to come into it, the windows for a student's
//! name and for the teacher's report, and what covers the page while the teacher speaks.

use bindpose_classroom::{Invitation, MAX_NAME_CHARS, StudentNames};
use bindpose_notebook::export::ExportFormat;
use eframe::egui::{
    Align2, Area, Button, Color32, Context, Frame, Id, Key, Label, Margin, Order, Rect, RichText,
    Sense, TextEdit, Ui, Vec2, WidgetInfo, Window, accesskit::Role, pos2, vec2,
};

use super::class_view::{ClassroomView, ReportRequest};
use crate::theme::{INTERFACE, SMALL, Theme, family, font};
use crate::widgets::{Emphasis, Tip as _, buttons, name_dialog, note};

/// Around the code, in squares, as the standard asks.
const QUIET: f32 = 4.0;

const REPORT: &str = "Report of the class";

/// A window lists the networks each time it invites; a browser gets them once.
const NO_NETWORK: &str = if cfg!(target_arch = "wasm32") {
    "The computer that runs the class has no IPv4 address in any network. Join the network of the \
     room, or open a hotspot on that computer. Then reload this page."
} else {
    "It has no IPv4 address in any network. Join the network of the room, or open a hotspot on \
     this computer. Then go back to the page, and press J again."
};

/// How to come into the class, big enough for the back row: over the page while it is
/// asked for.
pub fn invitation(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    if !view.invites {
        return;
    }
    let here = view.teacher().map_or(0, |teacher| teacher.present());
    let Some(invitation) = &view.invitation else { return };
    let screen = ctx.content_rect();
    let (mut is_done, index) = (false, &mut view.address_index);
    Area::new(Id::unique("invitation")).order(Order::Foreground).fixed_pos(screen.min).show(
        ctx,
        |ui| {
            let margin = (0.05 * screen.height()).min(48.0);
            Frame::NONE.fill(theme.paper).inner_margin(Margin::same(margin as i8)).show(ui, |ui| {
                ui.set_min_size(screen.size() - Vec2::splat(2.0 * margin));
                ui.set_max_size(screen.size() - Vec2::splat(2.0 * margin));
                is_done = invitation_ui(ui, theme, invitation, index, here);
            });
        },
    );
    view.invites &= !is_done;
}

fn invitation_ui(
    ui: &mut Ui,
    theme: &Theme,
    invitation: &Invitation,
    index: &mut usize,
    here: usize,
) -> bool {
    let count = invitation.addresses.len();
    let Some(address) = invitation.addresses.get(*index).or(invitation.addresses.first()) else {
        return no_network_ui(ui, theme);
    };
    let size = ui.available_size();
    let is_wide = size.x > 1.2 * size.y;
    let side = if is_wide { size.y.min(0.46 * size.x) } else { size.x.min(0.5 * size.y) };
    let mut words = |ui: &mut Ui| {
        let width = if is_wide { size.x - side - 40.0 } else { size.x };
        ui.set_max_width(width);
        let unit = (width / 15.0).min(size.y / 9.0);
        let text = |words: &str, size: f32| {
            RichText::new(words).size(size).family(family::strong()).color(theme.ink)
        };
        ui.add(Label::new(text("Join the class at", 0.6 * unit)));
        // As large as one line takes.
        let letters = address.host.chars().count() as f32;
        let large = (width / (0.6 * letters)).min(1.5 * unit);
        ui.add(Label::new(text(&address.host, large)));
        if count > 1 {
            next_address_ui(ui, index, count);
        }
        ui.add_space(0.4 * unit);
        ui.add(Label::new(text("with the code", 0.6 * unit)));
        let code = invitation.code.as_ref().map_or("", |code| code.as_str());
        let code = RichText::new(code).monospace().size(4.2 * unit);
        ui.add(Label::new(code.color(theme.accent)));
        ui.add_space(0.4 * unit);
        ui.add(Label::new(text(&format!("{here} here"), 0.9 * unit)));
        ui.add_space(0.4 * unit);
        ui.add(Button::new(RichText::new("Back to the page").size(INTERFACE))).clicked()
    };
    let (mut is_done, code) = (false, |ui: &mut Ui| squares(ui, &address.squares, side));
    if is_wide {
        let middle = 0.5 * (size.y - side).max(0.0);
        ui.add_space(middle);
        ui.horizontal(|ui| {
            code(ui);
            ui.add_space(40.0);
            is_done = ui.vertical(words).inner;
        });
    } else {
        is_done = words(ui);
        code(ui);
    }
    is_done
}

/// Leads through the addresses of a computer that is in several networks.
fn next_address_ui(ui: &mut Ui, index: &mut usize, count: usize) {
    let words = format!("Another address ({} of {count})", *index + 1);
    let tip = "This computer is in several networks. Phones need its address in theirs.";
    if ui.add(Button::new(RichText::new(words).size(INTERFACE))).tip(tip).clicked() {
        *index = (*index + 1) % count;
        ui.ctx().request_repaint();
    }
}

/// In the place of an address. Is the reader done with it?
fn no_network_ui(ui: &mut Ui, theme: &Theme) -> bool {
    let title = RichText::new("Phones can’t reach this computer").font(font::strong(28.0));
    ui.add(Label::new(title.color(theme.ink)).wrap());
    ui.add_space(8.0);
    note(ui, theme, NO_NETWORK, INTERFACE, Emphasis::Plain);
    ui.add_space(12.0);
    ui.add(Button::new(RichText::new("Back to the page").size(INTERFACE))).clicked()
}

/// The code, dark on light in either theme: cameras expect it so.
fn squares(ui: &mut Ui, rows: &[String], side: f32) {
    if rows.is_empty() {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let spoken = "QR code with the address of the class";
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, spoken));
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, Color32::WHITE);
    let unit = side / (rows.len() as f32 + 2.0 * QUIET);
    let at = |column: usize, row: usize| {
        rect.min + unit * vec2(column as f32 + QUIET, row as f32 + QUIET)
    };
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|(_, square)| *square == b'1') {
            let square = Rect::from_min_max(at(x, y), at(x + 1, y + 1));
            // No seams between neighbours.
            let square = Rect::from_min_max(
                pos2(square.min.x.floor(), square.min.y.floor()),
                pos2(square.max.x.ceil(), square.max.y.ceil()),
            );
            painter.rect_filled(square, 0.0, Color32::BLACK);
        }
    }
}

/// What a student is called in the class, and what the teacher sees: the window, where it
/// is open.
pub fn name_window(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    let Some(mut entry) = view.name.take() else { return };
    let Some(student) = view.student() else { return };
    let (mut open, mut done, mut is_cancelled) = (true, false, false);
    Window::new("Your name in the class")
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, "Your name in the class");
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            let words = "A first name or initials are enough, or nothing at all.";
            note(ui, theme, words, INTERFACE, Emphasis::Plain);
            let field = TextEdit::singleline(&mut entry.typed).char_limit(MAX_NAME_CHARS);
            let field = ui.add(field.desired_width(f32::INFINITY)).accessible_name("your name");
            if std::mem::take(&mut entry.takes_focus) {
                field.request_focus();
            }
            let left_by = |key| field.lost_focus() && ui.input(|input| input.key_pressed(key));
            let (entered, escaped) = (left_by(Key::Enter), left_by(Key::Escape));
            done = ui.add(Button::new("Use this name")).clicked() || entered;
            is_cancelled = escaped;
            ui.add_space(6.0);
            let words = "Your teacher sees this name, the page you are on, what you hand in, which \
                         steps you have seen and solved, and your answers before and after a \
                         lesson. It goes to the teacher’s computer only and is gone when the \
                         class ends, unless your teacher saves a report. This tab keeps your \
                         answers until you close it.";
            note(ui, theme, words, SMALL, Emphasis::Quiet);
        });
    if done {
        student.call_me(entry.typed.trim());
    } else if open && !is_cancelled {
        view.name = Some(entry);
    }
}

/// What the teacher saves of a class: the window, where it is open; answers with what is to
/// be saved now. `chosen`: what is chosen in it; `None`: it is not open.
pub fn report_window(
    ctx: &Context,
    theme: &Theme,
    chosen: &mut Option<ReportRequest>,
) -> Option<ReportRequest> {
    let request = chosen.as_mut()?;
    let (mut open, mut done) = (true, false);
    Window::new(REPORT)
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, REPORT);
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            report_choices(ui, theme, request);
            ui.add_space(8.0);
            done = ui.add(Button::new("Save the report")).clicked();
            ui.add_space(6.0);
            let words = "Nothing of this class is on disk until you save it, and nothing is sent \
                         anywhere.";
            note(ui, theme, words, SMALL, Emphasis::Quiet);
        });
    let wanted = done.then_some(*request);
    if done || !open {
        *chosen = None;
    }
    wanted
}

fn report_choices(ui: &mut Ui, theme: &Theme, request: &mut ReportRequest) {
    const NAMES: [(StudentNames, &str, &str); 3] = [
        (StudentNames::Full, "Names in full", "As students typed them"),
        (StudentNames::Initials, "Initials", "Ada Lovelace is A. L."),
        (StudentNames::None, "No names", "Student 1, Student 2, in the order of coming"),
    ];
    const FORMATS: [(ExportFormat, &str, &str); 3] = [
        (ExportFormat::Html, "HTML", "A page to read and to print"),
        (ExportFormat::Csv, "CSV", "A table for a spreadsheet"),
        (ExportFormat::Json, "JSON", "For programs"),
    ];
    let names = buttons::choose_segment(ui, theme, &NAMES, request.names, false);
    request.names = names.unwrap_or(request.names);
    ui.add_space(6.0);
    let format = buttons::choose_segment(ui, theme, &FORMATS, request.format, false);
    request.format = format.unwrap_or(request.format);
}

/// "Eyes up": covers a student's page until the teacher takes it away.
pub fn paused(ctx: &Context, theme: &Theme) {
    let screen = ctx.content_rect();
    let area = Area::new(Id::unique("paused")).order(Order::Foreground).fixed_pos(screen.min);
    area.constrain(false).fade_in(false).show(ctx, |ui| {
        let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::click_and_drag());
        let words = "Eyes up";
        let spoken = "Eyes up: the teacher has paused all pages. Your work is kept.";
        response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, spoken));
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, theme.paper);
        let large = (0.09 * rect.width()).clamp(28.0, 72.0);
        let (at, below) = (rect.center(), vec2(0.0, 0.9 * large));
        painter.text(at, Align2::CENTER_CENTER, words, font::strong(large), theme.ink);
        let more = "Your page comes back as you left it.";
        painter.text(at + below, Align2::CENTER_CENTER, more, font::strong(16.0), theme.quiet);
    });
}
