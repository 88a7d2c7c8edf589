//! Storage of joint matrices on the GPU, its capacity, and the characters that fit.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, Theme, family, font};
use bindpose_kit::widgets::PaintText;
use bindpose_lesson::number_text::grouped;
use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::{
    FIXED_VEC4S, FIXED_VEC4S_BY_PURPOSE, GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE,
    JointCountSource, VEC4S_PER_MATRIX, characters, joints_in_block, joints_in_texture,
    joints_in_uniforms,
};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, FontFamily, FontId, Painter, Rect, Sense, Stroke, Ui, WidgetInfo, accesskit::Role,
    pos2, vec2,
};

use crate::PageContext;

/// Uniforms of a vertex shader, as set by the reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct UniformBudget {
    /// Number of vec4 uniforms of the device.
    pub(super) vec4s: u32,
    /// Number of vec4 uniforms used by everything except joints.
    pub(super) others: u32,
}

/// Storage of joint matrices on the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    #[default]
    Uniforms,
    Block,
    /// A texture with one row per joint.
    Texture,
}

/// Capacity of a storage, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    pub(super) unit: &'static str,
    pub(super) total: u32,
    /// Units used by everything except joints.
    pub(super) taken: u32,
    pub(super) per_joint: u32,
}

impl Capacity {
    /// Computes the number of joints that fit.
    pub(super) fn joints(self) -> u32 {
        self.total.saturating_sub(self.taken) / self.per_joint.max(1)
    }
}

impl Storage {
    pub(super) const ALL: [Self; 3] = [Self::Uniforms, Self::Block, Self::Texture];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Uniforms => "plain uniforms",
            Self::Block => "one uniform block",
            Self::Texture => "one texture",
        }
    }

    /// Label for the head of a narrow column.
    pub(super) fn short_label(self) -> &'static str {
        match self {
            Self::Uniforms => "uniforms",
            Self::Block => "block",
            Self::Texture => "texture",
        }
    }

    /// Size of a joint matrix as text, with its unit.
    pub(super) fn matrix_size(self) -> &'static str {
        match self {
            Self::Uniforms => "4 slots",
            Self::Block => "64 bytes",
            Self::Texture => "a row",
        }
    }

    /// Computes the capacity, of block and texture as guaranteed by WebGL 2.
    pub(super) fn capacity(self, budget: UniformBudget) -> Capacity {
        match self {
            Self::Uniforms => Capacity {
                unit: "slots",
                total: budget.vec4s,
                taken: budget.others,
                per_joint: VEC4S_PER_MATRIX,
            },
            Self::Block => {
                Capacity { unit: "bytes", total: GUARANTEED_BLOCK_BYTES, taken: 0, per_joint: 64 }
            }
            Self::Texture => {
                Capacity { unit: "rows", total: GUARANTEED_TEXTURE_SIZE, taken: 0, per_joint: 1 }
            }
        }
    }

    /// Computes the number of joints that fit on a device. Returns 0 if it lacks the storage.
    pub(super) fn joints_on_device(self, limits: &GpuLimits, others: u32) -> u32 {
        match self {
            Self::Uniforms => joints_in_uniforms(limits.vertex_uniform_vec4s, others),
            Self::Block => joints_in_block(limits.uniform_block_bytes),
            Self::Texture if limits.vertex_texture_units == 0 || !limits.float_textures => 0,
            Self::Texture => joints_in_texture(limits.texture_size),
        }
    }
}

/// Minimum width of a joint's part of the strip. Below it, all joints are one part.
const MIN_JOINT_WIDTH_PTS: f32 = 2.5;

/// Draws a storage as a strip: the part used by everything else, then a part for each joint.
pub(super) fn draw_strip(ui: &mut Ui, theme: &Theme, budget: UniformBudget, storage: Storage) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    let capacity = storage.capacity(budget);
    let Capacity { unit, total, per_joint, .. } = capacity;
    let joints = capacity.joints();
    let taken = capacity.taken.min(total);
    response.widget_info(|| {
        let label = format!(
            "{}: {total} {unit}, {taken} for everything else, {} for {joints} joints, {} left",
            storage.label(),
            joints * per_joint,
            total - taken - joints * per_joint
        );
        WidgetInfo::labeled(Role::Label, true, label)
    });
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    let painter = ui.painter().clone();
    painter.rect_filled(strip, 4.0, theme.panel);
    if total == 0 {
        return;
    }
    let unit_width = strip.width() / total as f32;
    let others_label = draw_others(&painter, theme, strip, unit_width, taken);
    if unit_width * per_joint as f32 >= MIN_JOINT_WIDTH_PTS {
        for joint in 0..joints {
            let from = taken + joint * per_joint;
            let part = strip_part(strip, unit_width, from, from + per_joint)
                .shrink2(vec2((unit_width * 0.3).min(1.0), 0.0));
            let color = theme.joint(JointIndex((joint % 6) as u16));
            painter.rect_filled(part, 0.0, color);
            let number = joint.to_string();
            if part.width() > 9.0 * number.len() as f32 + 2.0 {
                painter.text_centered(
                    part.center(),
                    number,
                    font::strong(FINE_SIZE),
                    theme.text_on_fill(color),
                );
            }
        }
    } else {
        let part = strip_part(strip, unit_width, taken, taken + joints * per_joint);
        painter.rect_filled(part, 0.0, theme.accent);
    }
    let font = FontId::proportional(CAPTION_SIZE);
    let label_top = strip.bottom() + 4.0;
    let left_label = painter.text(
        pos2(strip.left(), label_top),
        Align2::LEFT_TOP,
        others_label,
        font.clone(),
        theme.quiet,
    );
    let gap = if taken > 0 { 16.0 } else { 0.0 };
    let min_left = left_label.right() + gap;
    let stored = format!("{} joints in {}", grouped(joints), storage.label());
    // The longest label that fits. The table below has the rest.
    let fitting = [
        format!("{stored}, {} {unit}", grouped(total)),
        stored,
        format!("{} joints", grouped(joints)),
    ]
    .into_iter()
    .map(|text| painter.layout_no_wrap(text, font.clone(), theme.ink))
    .find(|galley| min_left + galley.size().x <= strip.right());
    let Some(galley) = fitting else { return };
    let left = strip_part(strip, unit_width, taken, total)
        .left()
        .min(strip.right() - galley.size().x)
        .max(min_left);
    painter.galley(pos2(left, label_top), galley, theme.ink);
}

/// Returns the rectangle of a range of units in the strip.
fn strip_part(strip: Rect, unit_width: f32, from: u32, to: u32) -> Rect {
    Rect::from_min_max(
        pos2(strip.left() + from as f32 * unit_width, strip.top()),
        pos2(strip.left() + to as f32 * unit_width, strip.bottom()),
    )
}

/// Draws the part of the strip before the first joint, divided by purpose if that is known.
/// Returns its label.
fn draw_others(
    painter: &Painter,
    theme: &Theme,
    strip: Rect,
    unit_width: f32,
    taken: u32,
) -> String {
    if taken == 0 {
        return String::new();
    }
    painter.rect_filled(strip_part(strip, unit_width, 0, taken), 0.0, theme.world);
    if taken != FIXED_VEC4S {
        return format!("{taken} for everything else");
    }
    let mut end = 0;
    for (_, vec4s) in FIXED_VEC4S_BY_PURPOSE {
        end += vec4s;
        let edge = strip_part(strip, unit_width, end, end);
        let stroke = Stroke::new(1.0, theme.paper);
        painter.line_segment([edge.left_top(), edge.left_bottom()], stroke);
    }
    let parts = FIXED_VEC4S_BY_PURPOSE.map(|(name, vec4s)| format!("{vec4s} {name}"));
    parts.join(", ")
}

const ROW_HEIGHT_PTS: f32 = 22.0;

/// A row of the table of characters.
struct CharacterRow<'a> {
    name: &'a str,
    joints: u32,
    is_page_model: bool,
    /// If true, the number of joints is typical of a kind instead of counted.
    is_typical: bool,
}

/// Draws the number of joints of known characters, and a mark for each storage in which they fit.
pub(super) fn draw_characters(ui: &mut Ui, page: &PageContext<'_>, budget: UniformBudget) {
    ui.add_space(12.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let theme = page.theme;
    let width = ui.available_width().min(560.0);
    // Columns of marks are as wide as their heads. Names take the rest.
    let column_width = if width < 420.0 { 50.0 } else { 68.0 };
    draw_title_row(ui, theme, width, column_width);
    let page_joints = page.derived.rig.skeleton.len();
    let mut rows: Vec<CharacterRow<'_>> = characters()
        .iter()
        .map(|character| CharacterRow {
            name: character.name,
            joints: character.joints,
            is_page_model: false,
            is_typical: character.source == JointCountSource::Typical,
        })
        .collect();
    rows.push(CharacterRow {
        name: "the skin of this page",
        joints: u32::try_from(page_joints).unwrap_or(u32::MAX),
        is_page_model: true,
        is_typical: false,
    });
    rows.sort_by_key(|row| row.joints);
    for row in &rows {
        draw_character(ui, theme, budget, row, width, column_width);
    }
    ui.add_space(6.0);
    let legend = "Filled: all its joints fit. Uniforms as set above, one block and one texture as \
                 WebGL 2 guarantees them. CesiumMan and Fox are counted; those in italics are of \
                 the usual size of their kind.";
    ui.label(theme.caption(legend));
}

/// Returns the centre of a column of marks, relative to the left of the row.
fn column_center(width: f32, column_width: f32, index: usize) -> f32 {
    width - column_width * (Storage::ALL.len() as f32 - index as f32 - 0.5)
}

fn draw_title_row(ui: &mut Ui, theme: &Theme, width: f32, column_width: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT_PTS), Sense::hover());
    let marks_left = column_center(width, column_width, 0) - column_width / 2.0;
    let mut titles = vec![
        (0.0, Align2::LEFT_CENTER, "skin of"),
        (marks_left - 8.0, Align2::RIGHT_CENTER, "joints"),
    ];
    for (index, storage) in Storage::ALL.into_iter().enumerate() {
        let x = column_center(width, column_width, index);
        titles.push((x, Align2::CENTER_CENTER, storage.short_label()));
    }
    for (x, anchor, title) in titles {
        let at = pos2(rect.left() + x, rect.center().y);
        ui.painter().text(at, anchor, title, FontId::proportional(FINE_SIZE), theme.quiet);
    }
}

fn draw_character(
    ui: &mut Ui,
    theme: &Theme,
    budget: UniformBudget,
    row: &CharacterRow<'_>,
    width: f32,
    column_width: f32,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT_PTS), Sense::hover());
    let fits = Storage::ALL.map(|storage| row.joints <= storage.capacity(budget).joints());
    response.widget_info(|| {
        let mut fitting = Vec::new();
        for (index, storage) in Storage::ALL.into_iter().enumerate() {
            if fits[index] {
                fitting.push(storage.label());
            }
        }
        let storages = if fitting.is_empty() { "nowhere".to_owned() } else { fitting.join(", ") };
        let label = format!("{}, {} joints: fits {storages}", row.name, row.joints);
        WidgetInfo::labeled(Role::Label, true, label)
    });
    if row.is_page_model {
        let background = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_filled(background, 3.0, theme.accent_wash);
    }
    let marks_left = column_center(width, column_width, 0) - column_width / 2.0;
    let name_family = if row.is_page_model {
        family::strong()
    } else if row.is_typical {
        family::italic()
    } else {
        FontFamily::Proportional
    };
    let painter = ui.painter();
    painter.text_cut(
        rect.left_center(),
        row.name,
        FontId::new(SMALL_SIZE, name_family),
        theme.ink,
        (marks_left - 44.0).max(0.0),
    );
    let count_right = pos2(rect.left() + marks_left - 8.0, rect.center().y);
    painter.text_right(count_right, row.joints, font::mono_strong(CAPTION_SIZE), theme.ink);
    for (index, fits) in fits.into_iter().enumerate() {
        let x = rect.left() + column_center(width, column_width, index);
        let center = pos2(x, rect.center().y);
        if fits {
            painter.circle_filled(center, 6.0, theme.right);
        } else {
            painter.circle_stroke(center, 5.0, Stroke::new(1.5, theme.quiet));
        }
    }
}
