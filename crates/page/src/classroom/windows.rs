//! Windows and overlays of a page in a class: the invitation, the student's name, the
//! teacher's report, and the cover of a paused page.

use bindpose_class_protocol::{Invitation, InvitedAddress, MAX_NAME_CHARS, StudentNames};
use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme, family, font};
use bindpose_kit::widgets::{Emphasis, Tip as _, buttons, name_dialog, paragraph_ui};
use bindpose_notebook::export::ExportFormat;
use eframe::egui::{
    Align2, Area, Button, Color32, Context, Frame, Id, Key, Label, Margin, Order, Rect, RichText,
    Sense, TextEdit, Ui, Vec2, WidgetInfo, Window, accesskit::Role, vec2,
};

use crate::view::classroom::{ClassroomView, ReportRequest};

/// Width of the quiet zone around a QR code, in modules (ISO/IEC 18004).
const QUIET_ZONE_MODULES: f32 = 4.0;

const REPORT_TITLE: &str = "Report of the class";

/// The desktop program lists its networks with each invitation, a browser gets them once.
const NO_NETWORK: &str = if cfg!(target_arch = "wasm32") {
    "The computer that runs the class has no IPv4 address in any network. Join the network of the \
     room, or open a hotspot on that computer. Then reload this page."
} else {
    "It has no IPv4 address in any network. Join the network of the room, or open a hotspot on \
     this computer. Then go back to the page, and press J again."
};

/// Draws the invitation over the page, if it is open. Its text is legible from the back row.
pub fn invitation_ui(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    if !view.shows_invitation {
        return;
    }
    let present_count = view.teacher().map_or(0, |teacher| teacher.present());
    let Some(invitation) = &view.invitation else { return };
    let screen = ctx.content_rect();
    let mut closes = false;
    Area::new(Id::unique("invitation")).order(Order::Foreground).fixed_pos(screen.min).show(
        ctx,
        |ui| {
            let margin = (0.05 * screen.height()).min(48.0);
            Frame::NONE.fill(theme.paper).inner_margin(Margin::same(margin as i8)).show(ui, |ui| {
                ui.set_min_size(screen.size() - Vec2::splat(2.0 * margin));
                ui.set_max_size(screen.size() - Vec2::splat(2.0 * margin));
                let addresses = &invitation.addresses;
                let Some(address) = addresses.get(view.address_index).or(addresses.first()) else {
                    closes = no_network_ui(ui, theme);
                    return;
                };
                let address_index = &mut view.address_index;
                let contents =
                    InvitationUi { theme, invitation, address, address_index, present_count };
                closes = contents.ui(ui);
            });
        },
    );
    view.shows_invitation &= !closes;
}

/// The invitation with one of its addresses.
struct InvitationUi<'a> {
    theme: &'a Theme,
    invitation: &'a Invitation,
    address: &'a InvitedAddress,
    address_index: &'a mut usize,
    /// Number of students in the class.
    present_count: usize,
}

impl InvitationUi<'_> {
    /// Draws the text and the QR code, side by side or below each other. Returns true if the
    /// teacher closes the invitation.
    fn ui(mut self, ui: &mut Ui) -> bool {
        let size = ui.available_size();
        let is_wide = size.x > 1.2 * size.y;
        if is_wide {
            let code_side = size.y.min(0.46 * size.x);
            ui.add_space(0.5 * (size.y - code_side).max(0.0));
            let row = ui.horizontal(|ui| {
                qr_code_ui(ui, &self.address.squares, code_side);
                ui.add_space(40.0);
                ui.vertical(|ui| self.text_ui(ui, size.x - code_side - 40.0, size.y)).inner
            });
            row.inner
        } else {
            let code_side = size.x.min(0.5 * size.y);
            let closes = self.text_ui(ui, size.x, size.y);
            qr_code_ui(ui, &self.address.squares, code_side);
            closes
        }
    }

    /// Draws the address, the code and the number of students. Returns true if the teacher
    /// closes the invitation.
    fn text_ui(&mut self, ui: &mut Ui, width: f32, height: f32) -> bool {
        let theme = self.theme;
        ui.set_max_width(width);
        let unit = (width / 15.0).min(height / 9.0);
        heading_ui(ui, theme, "Join the class at", 0.6 * unit);
        // The address is as large as fits on one line.
        let letter_count = self.address.host.chars().count() as f32;
        let host_size = (width / (0.6 * letter_count)).min(1.5 * unit);
        heading_ui(ui, theme, &self.address.host, host_size);
        let address_count = self.invitation.addresses.len();
        if address_count > 1 {
            next_address_ui(ui, self.address_index, address_count);
        }
        ui.add_space(0.4 * unit);
        heading_ui(ui, theme, "with the code", 0.6 * unit);
        let code = self.invitation.code.as_ref().map_or("", |code| code.as_str());
        let code = RichText::new(code).monospace().size(4.2 * unit);
        ui.add(Label::new(code.color(theme.accent)));
        ui.add_space(0.4 * unit);
        heading_ui(ui, theme, &format!("{} here", self.present_count), 0.9 * unit);
        ui.add_space(0.4 * unit);
        back_button_ui(ui)
    }
}

fn heading_ui(ui: &mut Ui, theme: &Theme, text: &str, size: f32) {
    let text = RichText::new(text).size(size).family(family::strong()).color(theme.ink);
    ui.add(Label::new(text));
}

fn back_button_ui(ui: &mut Ui) -> bool {
    ui.add(Button::new(RichText::new("Back to the page").size(INTERFACE_SIZE))).clicked()
}

/// Draws a button that shows the next address of a computer in several networks.
fn next_address_ui(ui: &mut Ui, index: &mut usize, count: usize) {
    let label = format!("Another address ({} of {count})", *index + 1);
    let tip = "This computer is in several networks. Phones need its address in theirs.";
    if ui.add(Button::new(RichText::new(label).size(INTERFACE_SIZE))).tip(tip).clicked() {
        *index = (*index + 1) % count;
        ui.ctx().request_repaint();
    }
}

/// Draws a message in the place of an address. Returns true if the teacher closes it.
fn no_network_ui(ui: &mut Ui, theme: &Theme) -> bool {
    let title = RichText::new("Phones can’t reach this computer").font(font::strong(28.0));
    ui.add(Label::new(title.color(theme.ink)).wrap());
    ui.add_space(8.0);
    paragraph_ui(ui, theme, NO_NETWORK, INTERFACE_SIZE, Emphasis::Plain);
    ui.add_space(12.0);
    back_button_ui(ui)
}

/// Draws a QR code, dark on light in either theme, because cameras expect that.
///
/// `rows` contains a string of `0` and `1` for each row of modules.
fn qr_code_ui(ui: &mut Ui, rows: &[String], side: f32) {
    if rows.is_empty() {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let name = "QR code with the address of the class";
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, Color32::WHITE);
    let unit = side / (rows.len() as f32 + 2.0 * QUIET_ZONE_MODULES);
    for (y, row) in rows.iter().enumerate() {
        for (x, module) in row.bytes().enumerate() {
            if module != b'1' {
                continue;
            }
            let left = x as f32 + QUIET_ZONE_MODULES;
            let top = y as f32 + QUIET_ZONE_MODULES;
            let min = rect.min + unit * vec2(left, top);
            let max = rect.min + unit * vec2(left + 1.0, top + 1.0);
            // Rounded to whole points, so that there are no seams between neighbours.
            let square = Rect::from_min_max(min.floor(), max.ceil());
            painter.rect_filled(square, 0.0, Color32::BLACK);
        }
    }
}

/// Draws the window for the student's name, if it is open. It also explains what the teacher
/// sees of the student.
pub fn name_window_ui(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    let Some(mut entry) = view.name.take() else { return };
    let Some(student) = view.student() else { return };
    let mut is_open = true;
    let mut is_confirmed = false;
    let mut is_cancelled = false;
    Window::new("Your name in the class")
        .open(&mut is_open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, "Your name in the class");
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            let hint = "A first name or initials are enough, or nothing at all.";
            paragraph_ui(ui, theme, hint, INTERFACE_SIZE, Emphasis::Plain);
            let edit = TextEdit::singleline(&mut entry.text)
                .char_limit(MAX_NAME_CHARS)
                .desired_width(f32::INFINITY);
            let field = ui.add(edit).accessible_name("your name");
            if std::mem::take(&mut entry.takes_focus) {
                field.request_focus();
            }
            let lost_focus = field.lost_focus();
            let is_entered = lost_focus && ui.input(|input| input.key_pressed(Key::Enter));
            is_cancelled = lost_focus && ui.input(|input| input.key_pressed(Key::Escape));
            is_confirmed = ui.add(Button::new("Use this name")).clicked() || is_entered;
            ui.add_space(6.0);
            let privacy = "Your teacher sees this name, the page you are on, what you hand in, which \
                         steps you have seen and solved, and your answers before and after a \
                         lesson. It goes to the teacher’s computer only and is gone when the \
                         class ends, unless your teacher saves a report. This tab keeps your \
                         answers until you close it.";
            paragraph_ui(ui, theme, privacy, SMALL_SIZE, Emphasis::Quiet);
        });
    if is_confirmed {
        student.call_me(entry.text.trim());
    } else if is_open && !is_cancelled {
        view.name = Some(entry);
    }
}

/// Draws the teacher's window for a report, if it is open. Returns the report to be saved.
///
/// `report` contains the choices in the window, or `None` if it is closed.
pub fn report_window_ui(
    ctx: &Context,
    theme: &Theme,
    report: &mut Option<ReportRequest>,
) -> Option<ReportRequest> {
    let request = report.as_mut()?;
    let mut is_open = true;
    let mut is_confirmed = false;
    Window::new(REPORT_TITLE)
        .open(&mut is_open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, REPORT_TITLE);
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            report_choices_ui(ui, theme, request);
            ui.add_space(8.0);
            is_confirmed = ui.add(Button::new("Save the report")).clicked();
            ui.add_space(6.0);
            let privacy = "Nothing of this class is on disk until you save it, and nothing is sent \
                           anywhere.";
            paragraph_ui(ui, theme, privacy, SMALL_SIZE, Emphasis::Quiet);
        });
    let confirmed = is_confirmed.then_some(*request);
    if is_confirmed || !is_open {
        *report = None;
    }
    confirmed
}

fn report_choices_ui(ui: &mut Ui, theme: &Theme, request: &mut ReportRequest) {
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
    if let Some(names) = buttons::choose_segment(ui, theme, &NAMES, request.names, false) {
        request.names = names;
    }
    ui.add_space(6.0);
    if let Some(format) = buttons::choose_segment(ui, theme, &FORMATS, request.format, false) {
        request.format = format;
    }
}

/// Covers a student's page with "Eyes up" until the teacher continues.
pub fn paused_cover_ui(ctx: &Context, theme: &Theme) {
    let screen = ctx.content_rect();
    let area = Area::new(Id::unique("paused")).order(Order::Foreground).fixed_pos(screen.min);
    area.constrain(false).fade_in(false).show(ctx, |ui| {
        let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::click_and_drag());
        let name = "Eyes up: the teacher has paused all pages. Your work is kept.";
        response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, name));
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, theme.paper);
        let title_size = (0.09 * rect.width()).clamp(28.0, 72.0);
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            "Eyes up",
            font::strong(title_size),
            theme.ink,
        );
        painter.text(
            rect.center() + vec2(0.0, 0.9 * title_size),
            Align2::CENTER_CENTER,
            "Your page comes back as you left it.",
            font::strong(16.0),
            theme.quiet,
        );
    });
}
