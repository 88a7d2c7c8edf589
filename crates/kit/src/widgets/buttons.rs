//! Small controls: buttons, drop-down lists, the menu that copies a matrix, right-aligned
//! groups, segmented choices, and colored tags.

use bindpose_skin::{Conventions, CoordinateFrame, JointIndex};
use eframe::egui;
use eframe::egui::{
    Align, Align2, Button, Color32, ComboBox, CornerRadius, FontId, Id, Layout, Painter, Popup,
    Pos2, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextFormat, Ui, UiBuilder, Vec2,
    WidgetInfo, accesskit::Role, text::LayoutJob, vec2,
};
use glam::Mat4;

use super::PaintText;
use super::focus::index_by_arrows;
use super::matrix_notation::Notation;
use super::tip::Tip as _;
use crate::icons;
use crate::theme::{CAPTION_SIZE, FINE_SIZE, ICON_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, font};

/// A button without a frame or padding, which lines up with the text around it.
pub fn text_button(ui: &mut Ui, label: &str, theme: &Theme) -> Response {
    let text = RichText::new(label).size(CAPTION_SIZE).color(theme.accent);
    let button = Button::new(text).frame_when_inactive(false);
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 0.0;
        ui.add(button)
    })
    .inner
}

pub fn small_button(label: impl Into<String>) -> Button<'static> {
    Button::new(RichText::new(label).size(CAPTION_SIZE))
}

/// A toggle button that also has a frame when it is off.
pub fn option_button(is_on: bool, label: impl Into<String>) -> Button<'static> {
    Button::selectable(is_on, RichText::new(label).size(CAPTION_SIZE)).frame_when_inactive(true)
}

/// Draws one of [`icons`] as a button without a frame. Returns true if it was clicked.
pub fn icon_button(ui: &mut Ui, icon: &str, name: &str, enabled: bool) -> bool {
    let icon = RichText::new(icon).font(font::icon(SMALL_SIZE));
    let button = Button::new(icon).frame_when_inactive(false);
    ui.add_enabled(enabled, button).accessible_name(name).tip(name).clicked()
}

/// Draws the button that starts or pauses an animation. Returns true if it was clicked.
/// `keys` names its shortcut for the tooltip.
pub fn play_button(ui: &mut Ui, is_playing: bool, keys: &str) -> bool {
    let (icon, name) = if is_playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let icon = RichText::new(icon).font(font::icon(ICON_SIZE));
    ui.add(Button::new(icon)).accessible_name(name).tip(format!("{name} ({keys})")).clicked()
}

/// Lays out icons and text on one line, for buttons and links. Each part is its text, the
/// space before it in points, and its font.
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

/// Draws a drop-down list. Returns the option that the reader has chosen in this frame.
/// `label_of` formats an option, and `name` is the accessible name of the list.
pub fn drop_down_list<T: PartialEq>(
    ui: &mut Ui,
    list: ComboBox<'_>,
    name: &str,
    current: &T,
    options: impl IntoIterator<Item = T>,
    label_of: impl Fn(&T) -> String,
) -> Option<T> {
    let mut chosen = None;
    list.selected_text(label_of(current))
        .show_ui(ui, |ui| {
            for option in options {
                if ui.selectable_label(option == *current, label_of(&option)).clicked() {
                    chosen = Some(option);
                }
            }
        })
        .response
        .accessible_name(name);
    chosen
}

// The menu that copies a matrix for other programs.

/// Draws an icon with a menu that copies the matrix for other programs. A right-click on
/// `surface` opens the same menu. `more` adds entries for other actions on the matrix.
pub fn copy_matrix(
    ui: &mut Ui,
    theme: &Theme,
    surface: &Response,
    name: &str,
    matrix: &Mat4,
    conventions: Conventions,
    mut more: impl FnMut(&mut Ui),
) {
    let icon = RichText::new(icons::COPY).font(font::icon(INTERFACE_SIZE)).color(theme.quiet);
    let button = ui
        .add(Button::new(icon).frame_when_inactive(false).min_size(vec2(24.0, 22.0)))
        .accessible_name(format!("copy {name}"))
        .tip("Copy this matrix");
    Popup::menu(&button).show(|ui| copy_menu_ui(ui, theme, matrix, conventions, &mut more));
    surface.context_menu(|ui| copy_menu_ui(ui, theme, matrix, conventions, &mut more));
}

fn copy_menu_ui(
    ui: &mut Ui,
    theme: &Theme,
    matrix: &Mat4,
    conventions: Conventions,
    more: &mut impl FnMut(&mut Ui),
) {
    ui.set_min_width(180.0);
    for notation in Notation::ALL {
        let order = RichText::new(notation.order(conventions)).color(theme.quiet).size(FINE_SIZE);
        let entry = Button::new(format!("Copy as {}", notation.label())).right_text(order);
        if ui.add(entry).clicked() {
            ui.ctx().copy_text(notation.write(matrix, conventions));
            ui.close();
        }
    }
    more(ui);
}

// Right-aligned controls in reading order. A right-to-left layout would reverse their
// order for the Tab key.

/// A row of controls that ends at the right edge of the available space. Its width is
/// known from the previous frame. When it changes, the frame is laid out once more.
pub struct RightGroup {
    id: Id,
    cached_width: Option<f32>,
    /// The space that remains to the left of the group.
    pub rest: Rect,
    rect: Rect,
}

impl RightGroup {
    /// `salt` distinguishes the group from others in the same `Ui`.
    pub fn new(ui: &Ui, salt: &str) -> Self {
        let id = ui.scope_id().with(salt);
        let cached_width = ui.data(|data| data.get_temp::<f32>(id));
        let available = ui.available_rect_before_wrap();
        // A group that does not fit covers what is to its left instead of leaving the
        // page.
        let left = available.right() - cached_width.unwrap_or(available.width());
        let gap = ui.spacing().item_spacing.x;
        Self {
            id,
            cached_width,
            rest: available.with_max_x((left - gap).max(available.left())),
            rect: available.with_min_x(left),
        }
    }

    pub fn show(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
        let layout = Layout::left_to_right(Align::Center);
        let builder = UiBuilder::new().max_rect(self.rect).layout(layout).id_salt(self.id);
        let mut child = ui.new_child(builder);
        add(&mut child);
        let used = child.min_rect();
        ui.advance_cursor_after_rect(used);
        let width = used.width();
        if self.cached_width.is_none_or(|cached| (cached - width).abs() > 0.5) {
            ui.data_mut(|data| data.insert_temp(self.id, width));
            ui.ctx().request_discard("the width of a group became known");
        }
    }
}

// Segmented choices.

pub struct SegmentedChoice<'a> {
    pub text: &'a str,
    /// Small text below. May be empty.
    pub detail: String,
    /// Tooltip and description for screen readers. May be empty.
    pub tooltip: &'a str,
}

/// Draws a segmented choice without details, each option with its text and tooltip.
/// Returns the option that the reader has chosen in this frame.
pub fn choose_segment<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    options: &[(T, &str, &str)],
    current: T,
    alarm: bool,
) -> Option<T> {
    let segments: Vec<SegmentedChoice<'_>> = options
        .iter()
        .map(|&(_, text, tooltip)| SegmentedChoice { text, detail: String::new(), tooltip })
        .collect();
    let current_index = options.iter().position(|&(option, ..)| option == current);
    let chosen_index = segmented_choice(ui, theme, &segments, current_index, alarm)?;
    options.get(chosen_index).map(|&(option, ..)| option)
}

/// Draws the choices side by side, or stacked where they do not fit. Returns the index of
/// the choice that was clicked in this frame. `alarm` colors the current choice as wrong.
pub fn segmented_choice(
    ui: &mut Ui,
    theme: &Theme,
    segments: &[SegmentedChoice<'_>],
    current: Option<usize>,
    alarm: bool,
) -> Option<usize> {
    let width = ui.available_width();
    let count = segments.len().max(1);
    let text_widths = segments.iter().map(|segment| {
        let text = segment.text.to_owned();
        let galley = ui.painter().layout_no_wrap(text, font::strong(SMALL_SIZE), theme.ink);
        galley.size().x + 16.0
    });
    let min_width = text_widths.fold(104.0, f32::max);
    let columns = [count, count.div_ceil(2), 1]
        .into_iter()
        .find(|&columns| width / columns as f32 >= min_width)
        .unwrap_or(1);
    let rows = count.div_ceil(columns);
    let has_details = segments.iter().any(|segment| !segment.detail.is_empty());
    let height = if has_details { 50.0 } else { 32.0 };
    let (area, _) = ui.allocate_exact_size(vec2(width, height * rows as f32), Sense::hover());
    let mut chosen = None;
    let current_fill = if alarm { theme.wrong } else { theme.accent };
    ui.painter().rect_filled(area, 8.0, theme.paper);
    for (index, segment) in segments.iter().enumerate() {
        let row = index / columns;
        let column = index % columns;
        let size = vec2(width / columns as f32, height);
        let min = area.min + vec2(size.x * column as f32, size.y * row as f32);
        let rect = Rect::from_min_size(min, size);
        let id = segment_id(ui, segments, index);
        let mut response = ui.interact(rect, id, Sense::click());
        if !segment.tooltip.is_empty() {
            response = response.tip(segment.tooltip);
        }
        let is_current = current == Some(index);
        response.widget_info(|| {
            WidgetInfo::selected(egui::Role::RadioButton, ui.is_enabled(), is_current, segment.text)
        });
        if response.clicked() {
            chosen = Some(index);
        }
        if let Some(next) = index_by_arrows(ui, &response, index, count) {
            let next_id = segment_id(ui, segments, next);
            ui.memory_mut(|memory| memory.request_focus(next_id));
            chosen = Some(next);
        }
        let fill = if is_current {
            current_fill
        } else if response.hovered() || response.has_focus() {
            theme.accent_wash
        } else {
            Color32::TRANSPARENT
        };
        let corners = CornerRadius {
            nw: segment_radius(row == 0 && column == 0),
            sw: segment_radius(row + 1 == rows && column == 0),
            ne: segment_radius(row == 0 && column + 1 == columns),
            se: segment_radius(index + 1 == count),
        };
        ui.painter().rect_filled(rect, corners, fill);
        if column > 0 {
            ui.painter()
                .line_segment([rect.left_top(), rect.left_bottom()], Stroke::new(1.0, theme.rule));
        }
        let current_ink = is_current.then(|| theme.text_on_accent_or(current_fill));
        paint_segment_text(ui, theme, segment, rect, current_ink, has_details);
    }
    ui.painter().rect_stroke(area, 8.0, Stroke::new(1.0, theme.rule), StrokeKind::Inside);
    chosen
}

fn segment_id(ui: &Ui, segments: &[SegmentedChoice<'_>], index: usize) -> Id {
    ui.scope_id().with((segments[0].text, index))
}

fn segment_radius(is_outer_corner: bool) -> u8 {
    if is_outer_corner { 8 } else { 0 }
}

/// Paints the text and detail of one choice. `current_ink` is their color on the fill of
/// the current choice, and `None` for the others.
fn paint_segment_text(
    ui: &Ui,
    theme: &Theme,
    segment: &SegmentedChoice<'_>,
    rect: Rect,
    current_ink: Option<Color32>,
    has_details: bool,
) {
    let center = rect.center();
    let rise = if has_details { 10.0 } else { 0.0 };
    let text_font = font::text(SMALL_SIZE, current_ink.is_some());
    let text_center = center - vec2(0.0, rise);
    let text_color = current_ink.unwrap_or(theme.ink);
    ui.painter().text_centered(text_center, segment.text, text_font, text_color);
    if has_details {
        let detail_center = center + vec2(0.0, 11.0);
        let detail_color = current_ink.unwrap_or(theme.quiet);
        paint_fitted_text(ui, &segment.detail, detail_center, rect.width() - 12.0, detail_color);
    }
}

/// Paints centered monospace text, smaller if it is wider than `max_width`.
fn paint_fitted_text(ui: &Ui, text: &str, center: Pos2, max_width: f32, color: Color32) {
    let painter = ui.painter();
    let mut galley =
        painter.layout_no_wrap(text.to_owned(), FontId::monospace(CAPTION_SIZE), color);
    let width = galley.size().x;
    if width > max_width {
        let size = (CAPTION_SIZE * max_width / width).max(9.0);
        galley = painter.layout_no_wrap(text.to_owned(), FontId::monospace(size), color);
    }
    let rect = Align2::CENTER_CENTER.anchor_size(center, galley.size());
    painter.galley(rect.min, galley, color);
}

// Colored tags for coordinate frames and joint numbers.

/// Returns the color and the name of a coordinate frame.
pub fn frame_color_and_name(theme: &Theme, frame: CoordinateFrame) -> (Color32, String) {
    let color = match frame {
        CoordinateFrame::World => theme.world,
        CoordinateFrame::Bind => theme.bind,
        CoordinateFrame::MeshNode => theme.caution,
        CoordinateFrame::Joint(joint) | CoordinateFrame::Parent(joint) => theme.joint(joint),
    };
    (color, frame.to_string())
}

/// Size of a tag with this text.
pub fn chip_size(ui: &Ui, text: &str) -> Vec2 {
    let font = font::strong(CAPTION_SIZE);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::BLACK);
    vec2((galley.size().x + 14.0).ceil(), 22.0)
}

/// Paints a tag, which is not interactive.
pub fn paint_chip(ui: &Ui, theme: &Theme, rect: Rect, text: &str, fill: Color32) {
    let painter = ui.painter();
    painter.rect_filled(rect, 5.0, fill);
    painter.text_centered(
        rect.center(),
        text,
        font::strong(CAPTION_SIZE),
        theme.text_on_fill(fill),
    );
}

/// Paints a round badge with a joint's number. Joint colors repeat after six joints, so
/// every second group of six has a ring.
pub fn paint_badge(painter: &Painter, theme: &Theme, rect: Rect, joint: JointIndex) {
    let fill = theme.joint(joint);
    let radius = rect.height() / 2.0;
    let is_repeat = theme.has_repeated_color(joint);
    if is_repeat {
        painter.rect_stroke(rect, radius, Stroke::new(1.5, fill), StrokeKind::Inside);
        painter.rect_filled(rect.shrink(2.5), radius, fill);
    } else {
        painter.rect_filled(rect, radius, fill);
    }
    painter.text_centered(
        rect.center(),
        joint.0.to_string(),
        font::strong(if is_repeat { 11.0 } else { FINE_SIZE }),
        theme.text_on_fill(fill),
    );
}

/// Paints a badge whose left edge is centered at `left`. Returns the x coordinate of its
/// right edge.
pub fn paint_badge_at(ui: &Ui, theme: &Theme, left: Pos2, joint: JointIndex) -> f32 {
    let size = badge_size(joint);
    let rect = Rect::from_min_size(left - vec2(0.0, size.y / 2.0), size);
    paint_badge(ui.painter(), theme, rect, joint);
    rect.right()
}

/// Size of a badge, which is wider for longer numbers.
pub fn badge_size(joint: JointIndex) -> Vec2 {
    let digits = joint.0.to_string().len() as f32;
    vec2((11.0 + 7.5 * digits).max(18.0), 18.0)
}

/// Adds a badge with the joint's name for screen readers.
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
