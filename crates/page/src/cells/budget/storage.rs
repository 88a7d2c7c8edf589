//! Where the matrices of joints are stored, and how many joints fit there.

use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::{
    FIXED_VEC4S, FIXED_VEC4S_BY_PURPOSE, GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE,
    JointCountSource, VEC4S_PER_MATRIX, characters, joints_in_block, joints_in_texture,
    joints_in_uniforms,
};
use bindpose_notebook::number_text::grouped;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, FontFamily, FontId, Painter, Rect, Sense, Stroke, Ui, WidgetInfo, accesskit::Role,
    pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, FINE, SMALL, Theme, family, font};
use crate::widgets::PaintText;

/// The reader's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageNumbers {
    /// vec4 uniforms there are.
    pub(super) vec4s: u32,
    /// Those that everything but joints takes.
    pub(super) others: u32,
}

/// Where the matrices of joints are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    /// Plain uniforms.
    #[default]
    Uniforms,
    /// One uniform block.
    Block,
    /// A texture, a row a joint.
    Texture,
}

/// Room for joints, in the unit that is counted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    /// What is counted.
    pub(super) unit: &'static str,
    /// There are so many.
    pub(super) total: u32,
    /// Others take so many.
    pub(super) taken: u32,
    /// A joint takes so many.
    pub(super) each: u32,
}

impl Capacity {
    /// Joints that fit.
    pub(super) fn joints(self) -> u32 {
        self.total.saturating_sub(self.taken) / self.each.max(1)
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

    /// For the head of a narrow column.
    pub(super) fn short(self) -> &'static str {
        match self {
            Self::Uniforms => "uniforms",
            Self::Block => "block",
            Self::Texture => "texture",
        }
    }

    /// What a matrix takes there.
    pub(super) fn takes(self) -> &'static str {
        match self {
            Self::Uniforms => "4 slots",
            Self::Block => "64 bytes",
            Self::Texture => "a row",
        }
    }

    /// With the reader's number of uniforms; block and texture as WebGL 2
    /// guarantees them.
    pub(super) fn capacity(self, budget: StorageNumbers) -> Capacity {
        match self {
            Self::Uniforms => Capacity {
                unit: "slots",
                total: budget.vec4s,
                taken: budget.others,
                each: VEC4S_PER_MATRIX,
            },
            Self::Block => {
                Capacity { unit: "bytes", total: GUARANTEED_BLOCK_BYTES, taken: 0, each: 64 }
            }
            Self::Texture => {
                Capacity { unit: "rows", total: GUARANTEED_TEXTURE_SIZE, taken: 0, each: 1 }
            }
        }
    }

    /// Joints that fit on a device, in one block; 0 where there is no such
    /// thing.
    pub(super) fn on_device(self, limits: &GpuLimits, others: u32) -> u32 {
        match self {
            Self::Uniforms => joints_in_uniforms(limits.vertex_uniform_vec4s, others),
            Self::Block => joints_in_block(limits.uniform_block_bytes),
            Self::Texture if limits.vertex_texture_units == 0 || !limits.float_textures => 0,
            Self::Texture => joints_in_texture(limits.texture_size),
        }
    }
}

// The storage as a strip: what others take, then a piece for
// each joint.

pub(super) fn bar_ui(ui: &mut Ui, theme: &Theme, budget: StorageNumbers, storage: Storage) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    let capacity = storage.capacity(budget);
    let Capacity { unit, total, taken, each } = capacity;
    let joints = capacity.joints();
    let taken = taken.min(total);
    response.widget_info(|| {
        let words = format!(
            "{}: {total} {unit}, {taken} for everything else, {} for {joints} joints, {} left",
            storage.label(),
            joints * each,
            total - taken - joints * each
        );
        WidgetInfo::labeled(Role::Label, true, words)
    });
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    let painter = ui.painter().clone();
    painter.rect_filled(strip, 4.0, theme.panel);
    if total == 0 {
        return;
    }
    let slot = strip.width() / total as f32;
    let piece = |from: u32, to: u32| {
        Rect::from_min_max(
            pos2(strip.left() + from as f32 * slot, strip.top()),
            pos2(strip.left() + to as f32 * slot, strip.bottom()),
        )
    };
    let words = others(&painter, theme, taken, piece);
    // Below a point a piece is thinner than a line: one stands for all.
    if slot * each as f32 >= 2.5 {
        for joint in 0..joints {
            let from = taken + joint * each;
            let block = piece(from, from + each).shrink2(vec2((slot * 0.3).min(1.0), 0.0));
            let color = theme.joint(JointIndex((joint % 6) as u16));
            painter.rect_filled(block, 0.0, color);
            let number = joint.to_string();
            if block.width() > 9.0 * number.len() as f32 + 2.0 {
                let font = font::strong(FINE);
                let middle = block.center();
                painter.text_centered(middle, number, font, theme.on(color));
            }
        }
    } else {
        painter.rect_filled(piece(taken, taken + joints * each), 0.0, theme.accent);
    }
    let font = FontId::proportional(CAPTION);
    let below = strip.bottom() + 4.0;
    let at = pos2(strip.left(), below);
    let label = painter.text(at, Align2::LEFT_TOP, words, font.clone(), theme.quiet);
    let gap = if taken > 0 { 16.0 } else { 0.0 };
    let least = label.right() + gap;
    let stored = format!("{} joints in {}", grouped(joints), storage.label());
    // The table below says the rest where there is no room for it.
    let fitting = [
        format!("{stored}, {} {unit}", grouped(total)),
        stored,
        format!("{} joints", grouped(joints)),
    ]
    .into_iter()
    .map(|text| painter.layout_no_wrap(text, font.clone(), theme.ink))
    .find(|galley| least + galley.size().x <= strip.right());
    let Some(galley) = fitting else { return };
    let left = piece(taken, total).left().min(strip.right() - galley.size().x).max(least);
    painter.galley(pos2(left, below), galley, theme.ink);
}

/// What is taken before the first joint, in its parts where they are known;
/// answers with the words for it.
fn others(
    painter: &Painter,
    theme: &Theme,
    taken: u32,
    piece: impl Fn(u32, u32) -> Rect,
) -> String {
    if taken == 0 {
        return String::new();
    }
    painter.rect_filled(piece(0, taken), 0.0, theme.world);
    if taken != FIXED_VEC4S {
        return format!("{taken} for everything else");
    }
    let mut from = 0;
    for (_, vec4s) in FIXED_VEC4S_BY_PURPOSE {
        from += vec4s;
        let edge = piece(from, from);
        let line = eframe::egui::Stroke::new(1.0, theme.paper);
        painter.line_segment([edge.left_top(), edge.left_bottom()], line);
    }
    let parts = FIXED_VEC4S_BY_PURPOSE.map(|(name, vec4s)| format!("{vec4s} {name}"));
    parts.join(", ")
}

// Known characters, and where their joints fit.

const ROW: f32 = 22.0;

/// A line of the table.
struct CharacterLine<'a> {
    name: &'a str,
    joints: u32,
    /// The skin of this page.
    own: bool,
    typical: bool,
}

pub(super) fn characters_ui(ui: &mut Ui, page: &PageContext<'_>, budget: StorageNumbers) {
    ui.add_space(12.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let theme = page.theme;
    // Wide enough for the marks' heads, and what is left is for the names.
    let width = ui.available_width().min(560.0);
    let column = if width < 420.0 { 50.0 } else { 68.0 };
    title_row(ui, theme, width, column);
    let own = page.derived.rig.skeleton.len();
    let mut lines: Vec<CharacterLine<'_>> = characters()
        .iter()
        .map(|character| CharacterLine {
            name: character.name,
            joints: character.joints,
            own: false,
            typical: character.source == JointCountSource::Typical,
        })
        .collect();
    lines.push(CharacterLine {
        name: "the skin of this page",
        joints: u32::try_from(own).unwrap_or(u32::MAX),
        own: true,
        typical: false,
    });
    lines.sort_by_key(|line| line.joints);
    for line in &lines {
        show(ui, theme, budget, line, width, column);
    }
    ui.add_space(6.0);
    let words = "Filled: all its joints fit. Uniforms as set above, one block and one texture as \
                 WebGL 2 guarantees them. CesiumMan and Fox are counted; those in italics are of \
                 the usual size of their kind.";
    ui.label(theme.caption(words));
}

/// Middle of a mark's column, from the left of the row.
fn middle(width: f32, column: f32, index: usize) -> f32 {
    width - column * (Storage::ALL.len() as f32 - index as f32 - 0.5)
}

fn title_row(ui: &mut Ui, theme: &Theme, width: f32, column: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let font = FontId::proportional(FINE);
    let painter = ui.painter();
    let text = |x: f32, anchor, words: &str| {
        let at = pos2(rect.left() + x, rect.center().y);
        painter.text(at, anchor, words, font.clone(), theme.quiet);
    };
    text(0.0, Align2::LEFT_CENTER, "skin of");
    let left = middle(width, column, 0) - column / 2.0;
    text(left - 8.0, Align2::RIGHT_CENTER, "joints");
    for (index, storage) in Storage::ALL.into_iter().enumerate() {
        let x = middle(width, column, index);
        text(x, Align2::CENTER_CENTER, storage.short());
    }
}

fn show(
    ui: &mut Ui,
    theme: &Theme,
    budget: StorageNumbers,
    line: &CharacterLine<'_>,
    width: f32,
    column: f32,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let fits: Vec<bool> = Storage::ALL
        .iter()
        .map(|storage| line.joints <= storage.capacity(budget).joints())
        .collect();
    response.widget_info(|| {
        let places: Vec<&str> = Storage::ALL
            .iter()
            .zip(&fits)
            .filter(|(_, fits)| **fits)
            .map(|(storage, _)| storage.label())
            .collect();
        let places = if places.is_empty() { "nowhere".to_owned() } else { places.join(", ") };
        let words = format!("{}, {} joints: fits {places}", line.name, line.joints);
        WidgetInfo::labeled(Role::Label, true, words)
    });
    if line.own {
        let ground = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_filled(ground, 3.0, theme.accent_wash);
    }
    let left = middle(width, column, 0) - column / 2.0;
    name(ui, theme, line, rect, left - 44.0);
    let painter = ui.painter();
    let at = pos2(rect.left() + left - 8.0, rect.center().y);
    painter.text_right(at, line.joints, font::mono_strong(CAPTION), theme.ink);
    for (index, &fits) in fits.iter().enumerate() {
        let at = pos2(rect.left() + middle(width, column, index), rect.center().y);
        if fits {
            painter.circle_filled(at, 6.0, theme.right);
        } else {
            painter.circle_stroke(at, 5.0, Stroke::new(1.5, theme.quiet));
        }
    }
}

/// Cut off where there is no room for all of it.
fn name(ui: &Ui, theme: &Theme, line: &CharacterLine<'_>, row: Rect, room: f32) {
    let family = match (line.own, line.typical) {
        (true, _) => family::strong(),
        (_, true) => family::italic(),
        _ => FontFamily::Proportional,
    };
    let (at, font) = (row.left_center(), FontId::new(SMALL, family));
    let painter = ui.painter();
    painter.text_cut(at, line.name, font, theme.ink, room.max(0.0));
}
