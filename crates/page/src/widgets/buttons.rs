//! Small controls: buttons, lists that open, the menu that copies a matrix, groups at the
//! right edge, rows of choices, and coloured tags.

use bindpose_notebook::matrix_notation::Notation;
use bindpose_skin::{Conventions, CoordinateFrame, JointIndex};
use eframe::egui;
use eframe::egui::{
    Align, Align2, Button, Color32, ComboBox, CornerRadius, FontId, Id, Layout, Painter, Popup,
    Pos2, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextFormat, Ui, UiBuilder, Vec2,
    WidgetInfo, accesskit::Role, text::LayoutJob, vec2,
};
use glam::Mat4;

use super::PaintText;
use super::focus::place_by_arrows;
use super::tip::Tip as _;
use crate::icons;
use crate::theme::{CAPTION, FINE, ICON, INTERFACE, SMALL, Theme, font};

/// A button without a frame, whose words stand where those around it do.
pub fn text_button(ui: &mut Ui, words: &str, theme: &Theme) -> Response {
    let text = RichText::new(words).size(CAPTION).color(theme.accent);
    let button = Button::new(text).frame_when_inactive(false);
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 0.0;
        ui.add(button)
    })
    .inner
}

/// A button with a word or two.
pub fn small_button(words: impl Into<String>) -> Button<'static> {
    Button::new(RichText::new(words).size(CAPTION))
}

/// A button that is down while `on`; with a frame in any case.
pub fn option_button(on: bool, words: impl Into<String>) -> Button<'static> {
    Button::selectable(on, RichText::new(words).size(CAPTION)).frame_when_inactive(true)
}

/// One of [`icons`] without a frame; was it clicked?
pub fn icon_button(ui: &mut Ui, icon: &str, name: &str, enabled: bool) -> bool {
    let icon = RichText::new(icon).font(font::icon(SMALL));
    let button = Button::new(icon).frame_when_inactive(false);
    ui.add_enabled(enabled, button).accessible_name(name).tip(name).clicked()
}

/// Starts and stops what moves; was it clicked? `keys` do the same.
pub fn play_button(ui: &mut Ui, playing: bool, keys: &str) -> bool {
    let (icon, name) = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let icon = RichText::new(icon).font(font::icon(ICON));
    ui.add(Button::new(icon)).accessible_name(name).tip(format!("{name} ({keys})")).clicked()
}

/// Icons and words on one line, for buttons and links. Each part: its text, the room before
/// it in points, and its face.
pub fn icon_line<'a>(
    parts: impl IntoIterator<Item = (&'a str, f32, FontId)>,
    color: Color32,
) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (text, lead, font_id) in parts {
        let format = TextFormat { font_id, color, valign: Align::Center, ..TextFormat::default() };
        job.append(text, lead, format);
    }
    job
}

/// A list that opens, to choose one of; answers with what was chosen now. `words` writes
/// each; `name` is the list's, for those who hear the page.
pub fn combo<T: PartialEq>(
    ui: &mut Ui,
    list: ComboBox<'_>,
    name: &str,
    now: &T,
    all: impl IntoIterator<Item = T>,
    words: impl Fn(&T) -> String,
) -> Option<T> {
    let mut chosen = None;
    list.selected_text(words(now))
        .show_ui(ui, |ui| {
            for one in all {
                if ui.selectable_label(one == *now, words(&one)).clicked() {
                    chosen = Some(one);
                }
            }
        })
        .response
        .accessible_name(name);
    chosen
}

// The menu that copies a matrix for other programs.

/// A small icon; click it, or right-click `surface`, for the menu. `more` adds what
/// else can be done with the matrix, and with how it is written.
pub fn copy_matrix(
    ui: &mut Ui,
    theme: &Theme,
    surface: &Response,
    name: &str,
    (matrix, conventions): (&Mat4, Conventions),
    mut more: impl FnMut(&mut Ui),
) {
    let icon = RichText::new(icons::COPY).font(font::icon(INTERFACE)).color(theme.quiet);
    let button = ui
        .add(Button::new(icon).frame_when_inactive(false).min_size(eframe::egui::vec2(24.0, 22.0)))
        .accessible_name(format!("copy {name}"));
    let button = button.tip("Copy this matrix");
    let mut menu = |ui: &mut Ui| {
        entries(ui, theme, matrix, conventions);
        more(ui);
    };
    Popup::menu(&button).show(&mut menu);
    surface.context_menu(menu);
}

fn entries(ui: &mut Ui, theme: &Theme, matrix: &Mat4, conventions: Conventions) {
    ui.set_min_width(180.0);
    for notation in Notation::ALL {
        let order = RichText::new(notation.order(conventions)).color(theme.quiet).size(FINE);
        let entry = Button::new(format!("Copy as {}", notation.label())).right_text(order);
        if ui.add(entry).clicked() {
            ui.ctx().copy_text(notation.write(matrix, conventions));
            ui.close();
        }
    }
}

// Controls at the right edge, in the order in which they are read: a layout from
// right to left would give them to the Tab key backwards.

/// Controls in a line that ends at the right edge of what is left of a `Ui`. How
/// wide they are is known from the frame before; when that changes, the frame is
/// laid out once more.
pub struct RightGroup {
    id: Id,
    known: Option<f32>,
    /// What is left for others, to the left of them.
    pub rest: Rect,
    place: Rect,
}

impl RightGroup {
    /// `salt` tells it from other groups in `ui`.
    pub fn new(ui: &Ui, salt: &str) -> Self {
        let id = ui.scope_id().with(salt);
        let known = ui.data(|data| data.get_temp::<f32>(id));
        let room = ui.available_rect_before_wrap();
        // What has no room left goes over what stands before it, not off the page.
        let middle = room.right() - known.unwrap_or(room.width());
        let gap = ui.spacing().item_spacing.x;
        Self {
            id,
            known,
            rest: room.with_max_x((middle - gap).max(room.left())),
            place: room.with_min_x(middle),
        }
    }

    /// Shows them.
    pub fn show(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
        let line = Layout::left_to_right(Align::Center);
        let child = UiBuilder::new().max_rect(self.place).layout(line);
        let mut child = ui.new_child(child.id_salt(self.id));
        add(&mut child);
        let used = child.min_rect();
        ui.advance_cursor_after_rect(used);
        let width = used.width();
        if self.known.is_none_or(|known| (known - width).abs() > 0.5) {
            ui.data_mut(|data| data.insert_temp(self.id, width));
            ui.ctx().request_discard("the width of a group became known");
        }
    }
}

// A row of choices of which one holds.

/// One choice.
pub struct SegmentedChoice<'a> {
    /// In large.
    pub text: &'a str,
    /// In small, below; may be empty.
    pub detail: String,
    /// A sentence for the pointer and for screen readers; may be empty.
    pub tooltip: &'a str,
}

/// Choices without details, each with its text and tooltip; answers with what was
/// chosen now.
pub fn choose_segment<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    options: &[(T, &str, &str)],
    now: T,
    alarm: bool,
) -> Option<T> {
    let segments: Vec<SegmentedChoice<'_>> = options
        .iter()
        .map(|&(_, text, tooltip)| SegmentedChoice { text, detail: String::new(), tooltip })
        .collect();
    let current = options.iter().position(|&(option, ..)| option == now);
    let chosen = segmented(ui, theme, &segments, current, alarm)?;
    options.get(chosen).map(|&(option, ..)| option)
}

/// Shows the choices side by side, or stacked where they don't fit. Answers
/// with the one that was chosen now. `alarm` colours the current choice as
/// something wrong.
pub fn segmented(
    ui: &mut Ui,
    theme: &Theme,
    segments: &[SegmentedChoice<'_>],
    current: Option<usize>,
    alarm: bool,
) -> Option<usize> {
    let width = ui.available_width();
    let count = segments.len().max(1);
    let widest = segments.iter().map(|segment| {
        let text = segment.text.to_owned();
        let line = ui.painter().layout_no_wrap(text, font::strong(SMALL), theme.ink);
        line.size().x + 16.0
    });
    let least = widest.fold(104.0, f32::max);
    let columns = [count, count.div_ceil(2), 1]
        .into_iter()
        .find(|&columns| width / columns as f32 >= least)
        .unwrap_or(1);
    let rows = count.div_ceil(columns);
    let detailed = segments.iter().any(|segment| !segment.detail.is_empty());
    let height = if detailed { 50.0 } else { 32.0 };
    let (area, _) = ui.allocate_exact_size(vec2(width, height * rows as f32), Sense::hover());
    let mut chosen = None;
    let fill = if alarm { theme.wrong } else { theme.accent };
    ui.painter().rect_filled(area, 8.0, theme.paper);
    for (index, segment) in segments.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        let size = vec2(width / columns as f32, height);
        let min = area.min + vec2(size.x * column as f32, size.y * row as f32);
        let rect = Rect::from_min_size(min, size);
        let id = |index: usize| ui.scope_id().with((segments[0].text, index));
        let mut response = ui.interact(rect, id(index), Sense::click());
        if !segment.tooltip.is_empty() {
            response = response.tip(segment.tooltip);
        }
        let on = current == Some(index);
        response.widget_info(|| {
            WidgetInfo::selected(egui::Role::RadioButton, ui.is_enabled(), on, segment.text)
        });
        if response.clicked() {
            chosen = Some(index);
        }
        if let Some(next) = place_by_arrows(ui, &response, index, count) {
            ui.memory_mut(|memory| memory.request_focus(id(next)));
            chosen = Some(next);
        }
        let ground = if on {
            fill
        } else if response.hovered() || response.has_focus() {
            theme.accent_wash
        } else {
            Color32::TRANSPARENT
        };
        let round = |corner: bool| if corner { 8 } else { 0 };
        let corners = CornerRadius {
            nw: round(row == 0 && column == 0),
            sw: round(row + 1 == rows && column == 0),
            ne: round(row == 0 && column + 1 == columns),
            se: round(index + 1 == count),
        };
        ui.painter().rect_filled(rect, corners, ground);
        if column > 0 {
            ui.painter()
                .line_segment([rect.left_top(), rect.left_bottom()], Stroke::new(1.0, theme.rule));
        }
        let ink = on.then(|| theme.on_fill(fill));
        paint_words(ui, theme, segment, rect, ink, detailed);
    }
    ui.painter().rect_stroke(area, 8.0, Stroke::new(1.0, theme.rule), StrokeKind::Inside);
    chosen
}

/// The words of one choice; `ink` is set for the one that holds.
fn paint_words(
    ui: &Ui,
    theme: &Theme,
    segment: &SegmentedChoice<'_>,
    rect: Rect,
    ink: Option<Color32>,
    detailed: bool,
) {
    let (center, color) = (rect.center(), ink.unwrap_or(theme.ink));
    let rise = if detailed { 10.0 } else { 0.0 };
    let at = center - vec2(0.0, rise);
    let font = font::text(SMALL, ink.is_some());
    ui.painter().text_centered(at, segment.text, font, color);
    if detailed {
        let at = center + vec2(0.0, 11.0);
        let quiet = ink.unwrap_or(theme.quiet);
        fitted(ui, &segment.detail, at, rect.width() - 12.0, quiet);
    }
}

/// Monospace text centred at `at`, smaller where it would not fit.
fn fitted(ui: &Ui, text: &str, at: eframe::egui::Pos2, width: f32, color: Color32) {
    let layout =
        |size: f32| ui.painter().layout_no_wrap(text.to_owned(), FontId::monospace(size), color);
    let mut galley = layout(CAPTION);
    if galley.size().x > width {
        galley = layout((CAPTION * width / galley.size().x).max(9.0));
    }
    let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, color);
}

// Small coloured tags: frames of matrices, numbers of joints.

/// A frame's colour and its words.
pub fn frame_look(theme: &Theme, frame: CoordinateFrame) -> (Color32, String) {
    let color = match frame {
        CoordinateFrame::World => theme.world,
        CoordinateFrame::Bind => theme.bind,
        CoordinateFrame::MeshNode => theme.caution,
        CoordinateFrame::Joint(joint) | CoordinateFrame::Parent(joint) => theme.joint(joint),
    };
    (color, frame.to_string())
}

/// The room a tag takes.
pub fn chip_size(ui: &Ui, text: &str) -> Vec2 {
    let font = font::strong(CAPTION);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::BLACK);
    vec2((galley.size().x + 14.0).ceil(), 22.0)
}

/// Paints a tag; nothing can be done with it.
pub fn paint_chip(ui: &Ui, theme: &Theme, rect: Rect, text: &str, fill: Color32) {
    let painter = ui.painter();
    painter.rect_filled(rect, 5.0, fill);
    painter.text_centered(rect.center(), text, font::strong(CAPTION), theme.on(fill));
}

/// A round badge with a joint's number; after six joints colours come again, so
/// every second round of six wears a ring.
pub fn paint_badge(painter: &Painter, theme: &Theme, rect: Rect, joint: JointIndex) {
    let fill = theme.joint(joint);
    let round = rect.height() / 2.0;
    let again = theme.has_color_again(joint);
    if again {
        painter.rect_stroke(rect, round, Stroke::new(1.5, fill), StrokeKind::Inside);
        painter.rect_filled(rect.shrink(2.5), round, fill);
    } else {
        painter.rect_filled(rect, round, fill);
    }
    painter.text_centered(
        rect.center(),
        joint.0.to_string(),
        font::strong(if again { 11.0 } else { FINE }),
        theme.on(fill),
    );
}

/// The same in the middle of a line that begins at `left`. Gives where it ends.
pub fn paint_badge_at(ui: &Ui, theme: &Theme, left: Pos2, joint: JointIndex) -> f32 {
    let size = badge_size(joint);
    let rect = Rect::from_min_size(left - vec2(0.0, size.y / 2.0), size);
    paint_badge(ui.painter(), theme, rect, joint);
    rect.right()
}

/// The room a badge takes: wider for longer numbers.
pub fn badge_size(joint: JointIndex) -> Vec2 {
    let digits = joint.0.to_string().len() as f32;
    vec2((11.0 + 7.5 * digits).max(18.0), 18.0)
}

/// A badge in the flow, with its joint's name for those who hear the page.
pub fn badge(ui: &mut Ui, theme: &Theme, joint: JointIndex, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(badge_size(joint), Sense::hover());
    if ui.is_rect_visible(rect) {
        paint_badge(ui.painter(), theme, rect, joint);
    }
    let label = if name.is_empty() || name == format!("joint {}", joint.0) {
        format!("joint {}", joint.0)
    } else {
        format!("joint {}: {name}", joint.0)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    response.tip(label)
}
